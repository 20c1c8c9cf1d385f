/*
 * What is tapped is said to the server, and what it answers is drawn; nothing is known here that it did not say.
 */

import { prepareConnection } from "../explorer/connection.js";
import { coachPage } from "../explorer/data.js";
import { byId } from "../explorer/elements.js";
import { prepareTheme } from "../explorer/theme.js";
import { markFace, markMore, sayMarked, unmark } from "./bidding.js";
import { desk, leave, say, screenParts, table, tell, watch } from "./desk.js";
import { setup } from "./setup.js";
import { atTable, roll, sayDice, sayEnd, takeBack } from "./table.js";
import { asksDice, inWords, isSettled } from "./words.js";

/**
 * Draw all anew, with the focus where it was, or, where that is gone, on `next`, or else on what is asked for.
 * @param {string | null} [next]
 */
function draw(next = null) {
  const focused = /** @type {HTMLElement} */ (document.activeElement);
  const isInMain = byId("main").contains(focused);
  byId("main").replaceChildren(...(desk.table ? atTable() : setup()));
  for (const name of ["undo", "anew", "leave"]) byId(name).hidden = !desk.table;
  byId("table-keys").hidden = !desk.table;
  byId("spot-on-key").hidden = !desk.table?.spot_on;
  byId("anew").hidden = !desk.table || isSettled();
  byId("rules").textContent = desk.table ? table().title.replace(/, payoffs .*/, "") : "";
  const keyed = (/** @type {string | null | undefined} */ key) => [.../** @type {NodeListOf<HTMLButtonElement>} */ (byId("main").querySelectorAll("[data-key]"))].find((one) => one.dataset.key === key && !one.disabled);
  if (isInMain) (keyed(focused.dataset.key) || keyed(next) || byId("heading")).focus();
  else if (focused.hidden) byId("heading").focus();
}

/**
 * Show what the server answers to what was said.
 * @param {Answered} given @param {CoachRequest} what
 */
function heard({ error, table: now, version, left }, what) {
  byId("error").hidden = !error;
  byId("error").textContent = error ? `${error}.` : "";
  const isInMain = byId("main").contains(document.activeElement);
  const isNews = version !== desk.version;
  Object.assign(desk, { table: now, version, left });
  if (now && (!error || isNews)) {
    desk.isMending = false;
    desk.rolled = [];
    unmark();
  }
  draw();
  if (isInMain && now && !error) byId("heading").focus({ preventScroll: true });
  tell("");
  byId("said").textContent = error ? "" : now ? inWords(what) : what.leave ? "The table is kept until you leave another." : "";
}

function unmarkAll() {
  unmark();
  draw();
}

document.addEventListener("keydown", (event) => {
  if (!desk.table || desk.isBusy || event.ctrlKey || event.metaKey || event.altKey) return;
  if (/** @type {Element} */ (event.target).matches("input, select")) return;
  const rolls = desk.isMending || asksDice();
  const bids = !rolls && table().turn !== null;
  /** @type {Record<string, () => unknown>} */
  const keys = {
    u: () => say({ undo: true }),
    n: () => isSettled() && !table().over && say({ new: null }),
    c: () => bids && sayEnd("call"),
    s: () => bids && sayEnd("spot-on"),
    b: () => (rolls ? sayDice() : bids && sayMarked()),
    ArrowUp: () => bids && markMore(1),
    ArrowDown: () => bids && markMore(-1),
    Backspace: () => (rolls ? desk.rolled.length && takeBack(desk.rolled.length - 1) : unmarkAll()),
  };
  if (/^[1-9]$/.test(event.key)) {
    if (rolls) roll(Number(event.key));
    else if (bids) markFace(Number(event.key));
  } else if (keys[event.key]) keys[event.key]();
  else return;
  event.preventDefault();
});

/** A link to a table that only this phone knows, or from it to the one that all share. */
function prepareOwn() {
  const isOwn = /\/own\/[^/]+\/$/.test(location.pathname);
  const name = [...crypto.getRandomValues(new Uint8Array(12))].map((one) => one.toString(36).padStart(2, "0")).join("");
  byId("own").setAttribute("href", isOwn ? "../../" : `own/${name}/`);
  byId("own").textContent = isOwn ? "Shared table" : "My own table";
  byId("own").hidden = !coachPage.several;
}

byId("undo").addEventListener("click", () => say({ undo: true }));
byId("anew").addEventListener("click", () => say({ new: null }));
byId("leave").addEventListener("click", leave);
Object.assign(screenParts, { draw, heard });
prepareTheme();
prepareOwn();
prepareConnection();
say({}).then(watch);
