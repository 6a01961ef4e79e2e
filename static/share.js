// The picture in the reader's own colours where the address names none, and the button that copies it.
(() => {
  "use strict";
  const here = new URL(location.href);
  const chosen = document.documentElement.dataset.theme;
  const light = chosen ? chosen === "light" : matchMedia("(prefers-color-scheme: light)").matches;
  if (!here.searchParams.has("theme") && light) {
    here.searchParams.set("theme", "light");
    location.replace(here);
    return;
  }
  const button = document.getElementById("share-copy");
  const said = document.getElementById("share-said");
  if (!button || !window.ClipboardItem || !navigator.clipboard) return;
  button.hidden = false;
  async function png() {
    const answer = await fetch(button.dataset.source);
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    return answer.blob();
  }
  button.addEventListener("click", async () => {
    button.disabled = true;
    said.textContent = "";
    try {
      // A promise and not the picture itself: Safari forgets the click while it waits.
      await navigator.clipboard.write([new ClipboardItem({ "image/png": png() })]);
      said.textContent = button.dataset.done;
    } catch {
      said.textContent = button.dataset.failed;
    }
    button.disabled = false;
  });
})();
