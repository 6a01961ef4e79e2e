// What this page adds to a form that works without scripts.
(() => {
  "use strict";
  const form = document.getElementById("preferences");
  const theme = form.elements.namedItem("theme");
  const before = theme.value;
  // Who changes the colours here wants to see them here: a choice made earlier at the top of a page gives way.
  form.addEventListener("submit", () => {
    if (theme.value === before) return;
    try { localStorage.removeItem("seatwatch.theme"); } catch { /* storage is off: nothing was chosen */ }
  });
  // Who types a number means it.
  const ports = form.elements.namedItem("home_ports");
  const byNumber = form.querySelector('input[name="home_line"][value="number"]');
  ports.addEventListener("input", () => { byNumber.checked = true; });
})();
