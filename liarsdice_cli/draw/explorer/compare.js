/*
 * Two histories side by side: the address is #1x2;1x2,2x3, and each side can be led on by itself.
 */

import { dicePage } from "./data.js";
import { element, heading, player } from "./elements.js";
import { compared } from "./keeping.js";
import { linkTo, written } from "./links.js";
import { rollTools } from "./rolls.js";
import { overall } from "./summary.js";
import { strategyTable } from "./tables.js";
import { gap, moves, summary } from "./views.js";

/** @param {Reading} reading @param {(history: number[]) => string} linked @param {string} name */
function side(reading, linked, name) {
  const note = gap(reading);
  return element("section", { class: "side", "aria-label": name },
    element("h3", {}, player(reading.mover), reading.history.length ? ` after ${written(reading.history)}` : " opens"),
    summary(reading),
    note && element("p", { class: "note" }, note),
    moves(reading, linked, `Moves ${name}`),
    element("div", { class: "card" }, strategyTable(reading)),
    overall(reading, `, ${name}`),
    element("p", { class: "tools" }, element("a", { href: linkTo(reading.history) }, "Only this")));
}

/**
 * The page with two histories.
 * @param {Reading} one @param {Reading} other
 */
export function comparison(one, other) {
  const mover = dicePage.rolls[one.mover].length > dicePage.rolls[other.mover].length ? one : other;
  return [
    heading("Two histories side by side"),
    rollTools(mover),
    element("div", { class: "columns even sides" },
      side(one, (history) => compared(history, other.history), "on the left"),
      side(other, (history) => compared(one.history, history), "on the right")),
  ];
}
