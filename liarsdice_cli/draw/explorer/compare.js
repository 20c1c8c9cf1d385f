/*
 * Two histories side by side: the address is #1x2;1x2,2x3. Each side has its own moves, and keys move in the marked side.
 */

import { dicePage } from "./data.js";
import { element, heading, note, player } from "./elements.js";
import { compared } from "./keeping.js";
import { linkTo, written } from "./links.js";
import { chosen } from "./page.js";
import { rollTools } from "./rolls.js";
import { overall } from "./summary.js";
import { detail, strategyTable } from "./tables.js";
import { gap, likeliestRoll, moves, summary } from "./views.js";

const NAMES = ["on the left", "on the right"];

/** The side in which keys move: 0 on the left, 1 on the right. */
export const marked = { side: 1 };

/** @param {number} at */
export function mark(at) {
  marked.side = at;
  document.querySelectorAll(".side").forEach((section, number) => {
    if (number === at) section.setAttribute("aria-current", "true");
    else section.removeAttribute("aria-current");
  });
}

/**
 * Return the address of the comparison after a move to another history on one side.
 * @param {Reading[]} readings @param {number} at @param {number[]} history
 */
export function movedOn(readings, at, history) {
  const [one, other] = readings.map((reading, side) => (side === at ? history : reading.history));
  return compared(one, other);
}

/** @param {Reading[]} readings @param {number} at */
function side(readings, at) {
  const [reading, name] = [readings[at], NAMES[at]];
  const hasRoll = chosen.row !== null && chosen.row < dicePage.rolls[reading.mover].length;
  return element("section", { class: "side", "aria-label": name, "aria-current": marked.side === at ? "true" : null, onfocusin: () => mark(at), onpointerdown: () => mark(at) },
    element("h3", { tabindex: "-1" }, player(reading.mover), reading.history.length ? ` after ${written(reading.history)}` : " opens"),
    summary(reading),
    note(gap(reading)),
    moves(reading, (history) => movedOn(readings, at, history), `Moves ${name}`),
    element("div", { class: "card" }, strategyTable(reading)),
    hasRoll ? detail(reading, `-${at}`) : null,
    overall(reading, `, ${name}`),
    element("p", { class: "tools" }, element("a", { href: linkTo(reading.history) }, "Only this")));
}

/**
 * The page with two histories.
 * @param {Reading[]} readings
 */
export function comparison(readings) {
  const [one, other] = readings;
  if (chosen.row === null) chosen.row = likeliestRoll(readings[marked.side]);
  const mover = dicePage.rolls[one.mover].length > dicePage.rolls[other.mover].length ? one : other;
  return [
    heading("Two histories side by side"),
    rollTools(mover),
    element("div", { class: "columns even sides" },
      readings.map((_, at) => side(readings, at))),
  ];
}
