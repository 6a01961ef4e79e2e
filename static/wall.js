// The wall's own: it keeps the screen awake, spares it, dims it at night, and loads itself anew when Seatwatch was updated.
(() => {
  "use strict";
  const stream = document.querySelector("#stream"), wall = document.querySelector("#wall"), walk = document.querySelector("#walk"), awake = document.querySelector("#awake");

  // A browser lets go of the lock whenever the page is hidden, and may do so when power runs low.
  let lock = null, asking = false;
  async function stayAwake() {
    if (document.hidden || asking || (lock && !lock.released)) return;
    asking = true;
    try { lock = await navigator.wakeLock.request("screen"); } catch { lock = null; }
    asking = false;
    awake.hidden = lock !== null;
  }
  // What stands still for weeks burns into a screen. The wall walks over a square of pixels, one pixel a minute, line by
  // line and back. It does so with reduced motion too: a pixel a minute is not seen to move, and a burnt screen stays.
  const SIDE = 9, STEPS = SIDE * SIDE;
  function shift(minute) {
    const round = minute % (2 * STEPS - 2), step = round < STEPS ? round : 2 * STEPS - 2 - round;
    const row = Math.floor(step / SIDE), along = step % SIDE;
    const x = row % 2 ? SIDE - 1 - along : along, middle = (SIDE - 1) / 2;
    walk.style.transform = `translate(${x - middle}px, ${row - middle}px)`;
  }

  // By the reader's own clock: it is their room that is dark.
  const night = wall.dataset.night?.split("-").map(Number);
  function dim(date) {
    if (!night) return;
    const minute = date.getHours() * 60 + date.getMinutes(), [start, end] = night;
    const dark = start < end ? minute >= start && minute < end : minute >= start || minute < end;
    document.documentElement.classList.toggle("night", dark);
  }

  // Once for each version, and only when the new one answers: an error page would stay on the wall for good.
  let loading = false;
  async function renew(version) {
    if (loading || version === stream.dataset.v || history.state?.renewedFor === version) return;
    loading = true;
    try {
      const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" });
      if (answer.ok) {
        history.replaceState({ renewedFor: version }, "");
        location.reload();
        return;
      }
    } catch { /* not there yet: the next heartbeat asks again */ }
    loading = false;
  }
  stream.addEventListener("heartbeat", (event) => renew(JSON.parse(event.detail.data).v));

  function tick() {
    const date = new Date();
    stayAwake();
    shift(Math.floor(date.getTime() / 60000));
    dim(date);
  }
  document.addEventListener("visibilitychange", tick); // what was not seen for hours is right at once
  tick();
  setInterval(tick, 5000);
})();
