// The dashboard's own: what the line under the timeline says, the introduction, the list of keys. `live.js` keeps it live.
(() => {
  "use strict";
  const $ = (selector, root = document) => root.querySelector(selector);
  const stream = $("#stream"), readout = $("#readout");
  const say = (element, text) => { if (element.textContent !== text) element.textContent = text; };
  stream.addEventListener("htmx:sse:after:message", () => describeFocus());
  stream.addEventListener("heartbeat", (event) => { $("#crowd").hidden = JSON.parse(event.detail.data).pages <= 5; });

  // The line under the timeline says what the mark under the pointer or the focus is.
  function describe(mark) {
    const text = mark ? $("title", mark)?.textContent.replace("\n", "  ·  ") : null;
    readout.classList.toggle("on", Boolean(text));
    say(readout, text ?? readout.dataset.empty);
  }
  function describeFocus() {
    const mark = document.activeElement?.closest?.(".mark");
    if (mark) describe(mark);
  }
  const timeline = $("#timeline");
  timeline.addEventListener("pointerover", (event) => describe(event.target.closest("[class~=mark], .band, .hatching")));
  timeline.addEventListener("pointerleave", () => describe(null));
  timeline.addEventListener("focusin", (event) => describe(event.target.closest(".mark")));
  timeline.addEventListener("focusout", () => describe(null));

  // What the reader chose is kept in the browser; without storage it holds for this page.
  const kept = {
    get(key) { try { return localStorage.getItem(`seatwatch.${key}`); } catch { return null; } },
    set(key, value) { try { localStorage.setItem(`seatwatch.${key}`, value); } catch { /* storage is off */ } },
  };
  const intro = $("#intro"), keys = $("#keys");
  function showIntro(show) {
    intro.hidden = !show;
    kept.set("intro", show ? "shown" : "read");
  }
  function readIntro() {
    showIntro(true);
    intro.focus({ preventScroll: true });
    intro.scrollIntoView({ block: "center" });
  }
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-dismiss=intro]")) showIntro(false);
    if (event.target.closest("[data-open=keys]")) keys.showModal();
    if (event.target.closest("[data-open=intro]")) readIntro();
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
    if (event.key === "?") { if (keys.open) keys.close(); else keys.showModal(); }
    if (event.key === "i") { if (intro.hidden) readIntro(); else showIntro(false); }
  });

  intro.hidden = kept.get("intro") === "read";
})();
