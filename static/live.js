// What every live page does between updates: it counts clocks and bars on, moves its now-line, and says how its connection is.
(() => {
  "use strict";
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => root.querySelectorAll(selector);
  const stream = $("#stream"), connection = $("#connection");
  const BEHIND = 15, STALE = 15, GIVE_UP = 30;
  let offset = Number(stream.dataset.now) - Date.now() / 1000; // the server's clock minus ours, in seconds
  let last = stream.dataset.last ? Number(stream.dataset.last) : null;
  let heard = performance.now() / 1000, heardAt = new Date(), link = null, state = "connecting", outdated = false;

  const now = () => Date.now() / 1000 + offset;
  const two = (n) => String(n).padStart(2, "0");
  // As span_short and span_clock in app/web/words.py, whose forms come with the page in its language.
  const forms = JSON.parse(stream.dataset.forms);
  function short(s) {
    const m = Math.floor(s / 60), h = Math.floor(s / 3600), d = Math.floor(s / 86400);
    const values = { s, m, ss: two(s % 60), h: h % 24, mm: two(m % 60), d };
    return forms[(s >= 60) + (s >= 3600) + (s >= 86400)].replace(/\{(\w+)\}/g, (_all, name) => values[name]);
  }
  function clock(s) {
    const h = Math.floor(s / 3600), m = Math.floor(s % 3600 / 60);
    return h ? `${h}:${two(m)}:${two(s % 60)}` : `${m}:${two(s % 60)}`;
  }
  const since = (at) => Math.max(0, Math.floor(now() - Number(at)));
  const say = (element, text) => { if (element.textContent !== text) element.textContent = text; };

  function tick() {
    connectionTick();
    // Once the stream is lost nothing is counted on: it may no longer be true.
    if (document.hidden || state === "stale") return;
    for (const e of $$("[data-ago]")) say(e, short(since(e.dataset.ago)));
    for (const e of $$("[data-clock]")) say(e, clock(since(e.dataset.clock)));
    for (const e of $$("[data-left]")) say(e, clock(Math.max(0, Math.ceil(Number(e.dataset.left) - now()))));
    for (const e of $$("[data-fill]")) e.setAttribute("width", Math.min(60, since(e.dataset.fill)));
    moveNow();
  }
  function moveNow() {
    const plot = $("[data-start][data-end]"); // a window that stands still has none
    if (!plot) return;
    const start = Number(plot.dataset.start), end = Number(plot.dataset.end);
    const x = Math.min(100, (now() - start) / (end - start) * 100);
    for (const at of $$(".at-now", plot)) at.setAttribute("x", `${x.toFixed(3)}%`);
    for (const bar of $$(".open", plot)) {
      bar.setAttribute("width", `${Math.max(0.1, x - parseFloat(bar.getAttribute("x"))).toFixed(3)}%`);
    }
  }

  // Connection: live, behind, reconnecting, stale. Its element is never replaced by an update.
  function connectionTick() {
    const quiet = performance.now() / 1000 - heard;
    if (document.hidden) return;
    if (quiet > STALE) state = "stale";
    if (quiet > GIVE_UP) retry();
    const words = connection.dataset;
    let text = words[state] ?? words.live;
    if (state === "live") {
      const age = last === null ? null : since(last);
      if (age !== null) text = words.line.replace("{span}", short(age));
      connection.dataset.state = age !== null && age > 150 ? "behind" : "live";
    } else {
      connection.dataset.state = state;
      if (state === "stale") text = words.stale.replace("{time}", lastHeard());
    }
    if (outdated) { text = words.outdated; connection.dataset.state = "outdated"; }
    document.body.dataset.conn = state;
    say($(".text", connection), text);
  }
  function lastHeard() {
    const today = heardAt.toDateString() === new Date().toDateString();
    const form = { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false, ...(today ? {} : { day: "numeric", month: "short" }) };
    return heardAt.toLocaleString(document.documentElement.lang, form);
  }
  function hear() {
    heard = performance.now() / 1000;
    heardAt = new Date();
    state = "live";
  }
  function retry() {
    heard = performance.now() / 1000 - STALE; // stay stale, try again after a while
    if (link?.reader) link.reader.cancel().catch(() => {});
    else if (!stream._htmx?.sse) stream.dispatchEvent(new Event("seatwatch:connect"));
  }
  stream.addEventListener("htmx:sse:after:connection", (event) => { link = event.detail.connection; hear(); tick(); });
  stream.addEventListener("htmx:sse:before:connection", (event) => { if (event.detail.connection.attempt > 0 && state === "live") { state = "reconnecting"; tick(); } });
  stream.addEventListener("htmx:sse:error", () => { if (state !== "stale") state = "reconnecting"; tick(); });
  stream.addEventListener("htmx:sse:close", () => { link = null; if (state !== "stale") state = "reconnecting"; });
  stream.addEventListener("htmx:sse:after:message", () => { hear(); tick(); });
  stream.addEventListener("heartbeat", (event) => {
    const beat = JSON.parse(event.detail.data);
    offset = beat.now - Date.now() / 1000;
    last = beat.last;
    outdated = beat.v !== stream.dataset.v;
    hear();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    heard = performance.now() / 1000; // hidden pages let go of the stream on purpose
    state = "reconnecting";
    tick();
  });

  tick();
  setInterval(tick, 1000);
})();
