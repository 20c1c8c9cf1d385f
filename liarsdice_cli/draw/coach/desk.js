/*
 * The state of the page, and requests to the server.
 */

import { byId } from "../explorer/elements.js";

/** The milliseconds after which the page says that the program is thinking. */
const PATIENCE = 400;

/** The table as the server sent it, null before there is one, and the reader's choices that are not sent yet.
 * @type {Desk}
 */
export const desk = { table: null, isBusy: false, isMending: false, rolled: [], picked: { face: 0, quantity: 0 } };

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
 * Say something to the server, and show what it answers.
 * @param {CoachRequest} what
 */
export async function say(what) {
  if (desk.isBusy) return;
  desk.isBusy = true;
  byId("main").setAttribute("aria-busy", "true");
  const thinking = setTimeout(() => { byId("said").textContent = "Thinking …"; }, PATIENCE);
  try {
    const answer = await fetch("say", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(what) });
    if (!answer.ok) throw new Error(await answer.text());
    screenParts.heard(await answer.json(), what);
  } catch (problem) {
    screenParts.heard({ error: `the program that shows this page does not answer (${/** @type {Error} */ (problem).message.trim()}); start it again`, table: desk.table }, what);
  }
  clearTimeout(thinking);
  desk.isBusy = false;
  byId("main").setAttribute("aria-busy", "false");
  document.documentElement.dataset.ready = "";
}

export function leave() {
  say({ leave: true });
}
