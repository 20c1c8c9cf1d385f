/*
 * What a player does over all rolls: how often each move comes, how often a bid is a bluff, and how often it is true.
 */

import { dicePage, ONE, playerName } from "./data.js";
import { coloured, columnHeads, element, player } from "./elements.js";
import { minus, over, sum, times } from "./exact.js";
import { isPositive, share } from "./numerals.js";
import { beliefs, isEnding, likelihoods, oddsWith, verbOf } from "./readings.js";

/**
 * Of the rolls with which a move is made the share of those with which `holds` is true; null where it is never made.
 * @param {Reading} reading @param {number} at @param {Num[]} held @param {(roll: number) => Num} holds
 */
function shareOf(reading, at, held, holds) {
  const weights = held.map((chance, roll) => times(chance, reading.probabilities[at][roll]));
  const total = sum(weights);
  return Number(total) > 0 ? over(sum(weights.map((weight, roll) => times(weight, holds(roll)))), total) : null;
}

/**
 * The share of a bid's makers who hold no die that counts for it.
 * @param {Reading} reading @param {number} at @param {Num[]} held
 */
const bluffs = (reading, at, held) => shareOf(reading, at, held, (roll) => (dicePage.matching[reading.mover][roll][reading.actions[at]] === 0 ? ONE : 0));

/**
 * How often a bid is true when it is made.
 * @param {Reading} reading @param {number} at @param {Num[]} held
 */
function truth(reading, at, held) {
  const after = { ...reading, history: [...reading.history, reading.actions[at]] };
  const chances = dicePage.rolls[reading.mover].map((_, roll) => oddsWith(after, reading.mover, roll));
  return chances.every((chance) => chance !== null) ? shareOf(reading, at, held, (roll) => chances[roll]) : null;
}

/**
 * How the bidding is ended, and raises, in one line, then a row for every move that is made.
 * @param {Reading} reading @param {string} [side] the end of the section's name, if the page has two
 */
export function overall(reading, side = "") {
  const held = beliefs(reading, reading.mover);
  const likely = likelihoods(reading);
  if (!held || !likely) return null;
  const ends = reading.actions.map((action, at) => ({ action, chance: likely[at] })).filter(({ action }) => isEnding(action));
  /** @type {[Num, string][]} */
  const parts = [...ends.map(({ action, chance }) => /** @type {[Num, string]} */ ([chance, verbOf(action)])), [minus(ONE, sum(ends.map(({ chance }) => chance))), "raises"]];
  const rows = reading.actions
    .map((action, at) => ({ action, at, chance: likely[at] }))
    .filter(({ chance }) => isPositive(chance))
    .map(({ action, at, chance }) => element("tr", {},
      element("th", { scope: "row" }, coloured(action)),
      element("td", {}, share(chance)),
      element("td", {}, isEnding(action) ? "" : share(bluffs(reading, at, held))),
      element("td", {}, isEnding(action) ? "" : share(truth(reading, at, held)))));
  const words = ends.length ? parts.flatMap(([chance, verb], at) => [`${verb} `, element("strong", {}, share(chance)), `${at < parts.length - 1 ? ", " : ". "}`]) : [];
  return element("section", { class: "card overall", "aria-label": `${playerName(reading.mover)} over all rolls${side}` },
    element("h3", {}, player(reading.mover), " over all rolls"),
    element("p", {}, words, "A bluff: none of the bidder’s dice counts for the bid."),
    element("table", {},
      columnHeads(["move", "made", "bluffs", "true"]),
      element("tbody", {}, rows)));
}
