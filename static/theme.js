// Runs before the first paint, so that a chosen theme never flashes in the other one.
(() => {
  let choice = null;
  try { choice = localStorage.getItem("seatwatch.theme"); } catch { /* storage may be off: follow the settings */ }
  choice ??= document.documentElement.dataset.usualTheme;
  if (choice === "light" || choice === "dark") document.documentElement.dataset.theme = choice;
})();
