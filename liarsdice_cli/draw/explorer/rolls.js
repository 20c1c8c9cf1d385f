/*
 * Which rolls are listed, in which order and in which groups, as the reader has chosen: one list for all views.
 */

import { dicePage, nameOf, ONE } from "./data.js";
import { dice, element, options, rollName } from "./elements.js";
import { highest, minus } from "./exact.js";
import { share } from "./numerals.js";
import { again } from "./page.js";
import { beliefs, endings, isEnding, isSpotOnPlayed, oddsWith, SPOT_ON, verbOf, wordOf } from "./readings.js";
import { worthOf } from "./worth.js";

/** What the reader has chosen; kept from page to page. */
/** @type {Record<string, string>} */
const listing = { filter: "all", sort: "dice", group: "none" };

const SORTS = { dice: "by their dice", held: "likeliest first", worth: "best first", ...Object.fromEntries(endings.map((ending) => [nameOf(ending), `those that ${wordOf(ending)} first`])) };
const GROUPS = { none: "in one list", likeliest: "by likeliest move", counting: "by dice that count" };

/**
 * The filters that part the rolls of a player: by a face each, the wild one first.
 * @param {number[][]} rolls
 */
function filters(rolls) {
  const faces = [...new Set(rolls.flat())].sort((one, other) => one - other);
  const named = faces.map((face) => [String(face), face === dicePage.wild ? `with a wild ${face}` : `with a ${face}`]);
  const wild = dicePage.wild === null ? [] : [["plain", "without a wild"]];
  return { all: "all rolls", ...Object.fromEntries(wild), ...Object.fromEntries(named) };
}

/** @param {number[]} faces */
function passes(faces) {
  if (listing.filter === "plain") return dicePage.wild === null || !faces.includes(dicePage.wild);
  return listing.filter === "all" || faces.includes(Number(listing.filter));
}

/**
 * What rolls are sorted by, the highest first; equal ones stay in the order of their dice.
 * @param {Reading} reading @param {number} roll
 */
function sortKey(reading, roll) {
  if (listing.sort === "held") return (beliefs(reading, reading.mover) || reading.reaches[reading.mover])[roll];
  if (listing.sort === "worth") return reading.values ? worthOf(reading, roll) : 0;
  const ending = reading.actions.findIndex((action) => isEnding(action) && nameOf(action) === listing.sort);
  if (ending >= 0) return reading.probabilities[ending][roll];
  return -roll;
}

/** @param {Reading} reading @param {number} roll */
function groupOf(reading, roll) {
  if (listing.group === "likeliest") {
    const chances = reading.probabilities.map((row) => row[roll]);
    const at = chances.indexOf(highest(chances));
    const action = reading.actions[at];
    return { order: at, title: isEnding(action) ? verbOf(action) : `bids ${nameOf(action)}`, swatch: action };
  }
  if (listing.group === "counting" && reading.history.length) {
    const bid = reading.history[reading.history.length - 1];
    const counting = dicePage.matching[reading.mover][roll][bid];
    return { order: -counting, title: `${counting} of these dice count for ${nameOf(bid)}` };
  }
  return { order: 0, title: "" };
}

/**
 * The rolls that are listed: groups, each with a title ("" where there is but one) and its rolls.
 * @param {Reading} reading
 */
export function listed(reading) {
  const rolls = dicePage.rolls[reading.mover];
  if (!(listing.filter in filters(rolls))) listing.filter = "all";
  const key = rolls.map((_, roll) => sortKey(reading, roll));
  const shown = rolls.map((_, roll) => roll).filter((roll) => passes(rolls[roll])).sort((one, other) => Number(key[other]) - Number(key[one]) || one - other);
  const groups = new Map();
  for (const roll of shown) {
    const group = groupOf(reading, roll);
    if (!groups.has(group.title)) groups.set(group.title, { ...group, rows: [] });
    groups.get(group.title).rows.push(roll);
  }
  return [...groups.values()].sort((one, other) => one.order - other.order);
}

/** @param {string} id @param {string} name @param {Record<string, string>} choices */
function selection(id, name, choices) {
  const select = element("select", { id: `rolls-${id}`, onchange: (event) => relist(id, event.target.value) },
    options(Object.entries(choices), listing[id]));
  return element("label", {}, name, " ", select);
}

/**
 * The choices of what is listed; few rolls need none.
 * @param {Reading} reading
 */
export function rollTools(reading) {
  if (dicePage.rolls[reading.mover].length <= 6) return null;
  return element("div", { class: "roll-tools" },
    selection("filter", "Show", filters(dicePage.rolls[reading.mover])), selection("sort", "sorted", SORTS), selection("group", "listed", GROUPS));
}

/** @param {string} id @param {string} value */
function relist(id, value) {
  listing[id] = value;
  again(`#rolls-${id}`);
}

/* What a row is here, for the tables. */

export const rollWords = { one: "roll", many: "rolls", title: "Roll", with: "With", held: "held", done: "moves", none: "No roll matches." };
/**
 * The largest probability in any equilibrium of each move that costs nothing and is never made here, by the name of the move.
 * @param {Reading} reading @param {number} roll
 */
export const alternativesOf = (reading, roll) => dicePage.alternatives[`${reading.history.map((bid) => nameOf(bid)).join(" ")}|${roll}`];
/** @param {Reading} reading @param {number} roll */
export const rowMark = (reading, roll) => dice(dicePage.rolls[reading.mover][roll], reading.mover);
/** @param {Reading} reading @param {number} roll */
export const rowName = (reading, roll) => rollName(dicePage.rolls[reading.mover][roll]);
/** @param {Reading} reading */
export const rowWidth = (reading) => `calc(${dicePage.rolls[reading.mover][0].length} * (1.55rem + 2px) - 2px)`;
/** @param {Reading} reading */
export const heldOf = (reading) => beliefs(reading, reading.mover);

/**
 * The probability that the last bid is true, given the mover's roll, and that it is spot-on if spot-on is played.
 * @param {Reading} reading @param {number} row
 */
export function besides(reading, row) {
  const truth = reading.history.length ? oddsWith(reading, reading.mover, row) : null;
  if (truth === null) return null;
  const bid = nameOf(reading.history[reading.history.length - 1]);
  const inexactly = isSpotOnPlayed ? oddsWith(reading, reading.mover, row, SPOT_ON) : null;
  const exactly = inexactly === null ? [] : [", spot-on with probability ", element("strong", {}, share(minus(ONE, inexactly)))];
  return element("p", {}, "With this roll, ", bid, " is true with probability ", element("strong", {}, share(truth)), exactly, ".");
}
