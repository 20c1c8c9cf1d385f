/*
 * The state of the page, and requests to the server.
 */

import { reach, rest } from "../explorer/connection.js";
import { byId } from "../explorer/elements.js";

/** The milliseconds after which the page says that the program is thinking. */
const PATIENCE = 400;
/** The milliseconds between looks at what others have entered. */
const EVERY = 1500;

/** The table as the server sent it, null before there is one, and the reader's choices that are not sent yet.
 * @type {Desk}
 */
export const desk = { table: null, version: 0, left: null, isBusy: false, isMending: false, rolled: [], picked: { face: null, quantity: null } };

/** What the page does with the state; coach.js sets it.
 * @type {CoachScreen}
 */
export const screenParts = /** @type {any} */ ({});

/** Return the table; only for use while there is one. */
export function table() {
  if (!desk.table) throw new Error("there is no table yet");
  return desk.table;
}

/**
 * Announce to a screen reader what a tap has changed on the page.
 * @param {string} words
 */
export function tell(words) {
  byId("told").textContent = words;
}

/**
 * Say something to the server, and show what it answers. It is said once, however often it has to be sent, and only if the
 * table is still the one that the page shows.
 * @param {CoachRequest} what
 */
export async function say(what) {
  if (desk.isBusy) return;
  desk.isBusy = true;
  byId("main").setAttribute("aria-busy", "true");
  const thinking = setTimeout(() => { byId("said").textContent = "Thinking …"; }, PATIENCE);
  try {
    const sent = Object.keys(what).length ? { ...what, at: desk.version, id: crypto.getRandomValues(new Uint32Array(4)).join("-") } : what;
    const { ok, text } = await reach("say", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(sent) });
    if (!ok) throw new Error(text.trim());
    screenParts.heard(JSON.parse(text), what);
  } catch (problem) {
    const { table: now, version, left } = desk;
    screenParts.heard({ error: refused(/** @type {Error} */ (problem).message), table: now, version, left }, what);
  }
  clearTimeout(thinking);
  desk.isBusy = false;
  byId("main").setAttribute("aria-busy", "false");
  document.documentElement.dataset.ready = "";
}

/** @param {string} why */
const refused = (why) => `the program that shows this page does not answer (${why}); start it again, and open the address that it prints`;

/** Look for what others have entered, as long as the page is open; while it is not seen, it rests. */
export async function watch() {
  for (;;) {
    await rest(EVERY);
    if (document.hidden || desk.isBusy) continue;
    const { ok, text } = await reach("version");
    if (desk.isBusy) continue;
    if (!ok) {
      byId("error").textContent = `${refused(text.trim())}.`;
      byId("error").hidden = false;
    } else if (JSON.parse(text).version !== desk.version) await say({});
  }
}

export function leave() {
  say({ leave: true });
}
