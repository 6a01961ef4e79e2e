// What the reader chooses on any page: the language and the colours.
(() => {
  "use strict";
  const THEMES = ["auto", "light", "dark"];
  const kept = {
    get() { try { return localStorage.getItem("seatwatch.theme"); } catch { return null; } },
    set(choice) { try { localStorage.setItem("seatwatch.theme", choice); } catch { /* storage is off: it holds for this page */ } },
  };
  // Who has not chosen here gets what the settings say, and goes on getting it when they change.
  let theme = [kept.get(), document.documentElement.dataset.usualTheme].find((one) => THEMES.includes(one)) ?? "auto";
  function choose(choice) {
    kept.set(choice);
    show(choice);
  }
  function show(choice) {
    theme = choice;
    if (choice === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = choice;
    for (const button of document.querySelectorAll("[data-theme-choice]")) {
      button.setAttribute("aria-pressed", String(button.dataset.themeChoice === choice));
    }
  }
  // The server decides the language, so it is kept where the server sees it; an address that names one would win over it.
  function speak(language) {
    document.cookie = `seatwatch_lang=${language}; SameSite=Strict; path=/; max-age=31536000`;
    const here = new URL(location.href);
    if (!here.searchParams.has("lang")) { location.reload(); return; }
    here.searchParams.delete("lang");
    location.replace(here);
  }
  document.addEventListener("click", (event) => {
    const language = event.target.closest("[data-language]");
    if (language && !event.ctrlKey && !event.metaKey && !event.shiftKey) { event.preventDefault(); speak(language.dataset.language); }
    const choice = event.target.closest("[data-theme-choice]");
    if (choice) choose(choice.dataset.themeChoice);
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
    if (event.key === "t") choose(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]);
  });
  show(theme);
})();
