/*
 * Readings of any game, out of the page: what holds at a public place.
 *
 * A reading is { place, mover, actions, rows, probabilities, values, names }: the information sets of a place at which one
 * player has the same actions. Rows are numbered through over all readings of a place:
 *   actions        numbers in gamePage.labels
 *   rows           those of this reading
 *   probabilities  of every action (first index) in every row (second); values likewise, null where nobody can know
 * A place may have more than one reading, and where chance shows something first there is a start before all places.
 */

import { gamePage } from "./data.js";
import { element, playerClass } from "./elements.js";
import { numberOf, over } from "./exact.js";
import { isPositive } from "./numerals.js";

/** @param {number | null} place */
export const written = (place) => namesTo(place).join(", ");
export const START = null;

/** Payoffs are shown as they are. */
export const payoffUnit = {
  column: "value",
  values: (/** @type {string} */ who) => `What a move gains ${who} on average`,
  costs: "How much less a move gains on average than the best one in the same information set",
};

/** Places whose numbers have been read; the page keeps exact numbers as text until a place is first used. */
const read = /** @type {Map<number, GamePlace<Num>>} */ (new Map());

/**
 * Return a place with its numbers.
 * @param {number} number @returns {GamePlace<Num>}
 */
export function placeAt(number) {
  const known = read.get(number);
  if (known) return known;
  const place = gamePage.places[number];
  const withSets = place.groups.map((group) => ({ ...group, rows: group.rows.map(setWithNumbers) }));
  const made = { ...place, expected: expectedOf(place.expected), reach: numberOf(place.reach), groups: withSets,
    next: place.next.map(stepWithNumbers), ends: place.ends.map(endWithNumbers) };
  read.set(number, made);
  return made;
}

/** @param {GameSet<Written>} set @returns {GameSet<Num>} */
const setWithNumbers = (set) => ({
  ...set,
  reach: numberOf(set.reach),
  probabilities: set.probabilities.map(numberOf),
  values: set.values?.map(numberOf) ?? null,
  nodes: set.nodes.map(([words, chance]) => [words, numberOrNull(chance)]),
});

/** @param {Written | null} number */
const numberOrNull = (number) => (number === null ? null : numberOf(number));
/** @param {Written[] | null} expected */
const expectedOf = (expected) => expected?.map(numberOf) ?? null;
/** @param {GameStep<Written>} step @returns {GameStep<Num>} */
const stepWithNumbers = (step) => ({ ...step, share: numberOrNull(step.share) });
/** @param {GameEnd<Written>} end @returns {GameEnd<Num>} */
const endWithNumbers = (end) => ({ ...end, share: numberOrNull(end.share), expected: expectedOf(end.expected) });

/**
 * Return the readings of a place, one for each player and list of actions.
 * @param {number} place @returns {GameReading[]}
 */
export function readingsAt(place) {
  let before = 0;
  return placeAt(place).groups.map(({ mover, actions, rows: sets }) => {
    const rows = sets.map((_, at) => before + at);
    before += sets.length;
    return {
      place, mover, actions, rows,
      sets: Object.fromEntries(rows.map((row, number) => [row, sets[number]])),
      probabilities: actions.map((_, at) => inRows(rows, sets.map((set) => onPurpose(set.probabilities[at])))),
      values: actions.map((_, at) => inRows(rows, sets.map((set) => (set.values === null ? null : set.values[at])))),
    };
  });
}

/**
 * Return a list that has numbers in these rows only.
 * @template N @param {number[]} rows @param {N[]} numbers
 */
function inRows(rows, numbers) {
  /** @type {N[]} */
  const list = [];
  rows.forEach((row, at) => {
    list[row] = numbers[at];
  });
  return list;
}

/**
 * A probability that is only that of a mistake, too small to be shown, as 0.
 * @param {Num} chance
 */
const onPurpose = (chance) => (isPositive(chance) ? chance : 0);

/** The links from the start. */
const starts = gamePage.first.map(stepWithNumbers);

/**
 * The links that lead on from a place, or from the start.
 * @param {number | null} place
 */
export const linksFrom = (place) => (place === START ? starts : placeAt(place).next);

/** The first place, or the start where chance has shown something before. */
export const FIRST = starts.length === 1 ? starts[0].to : START;

/**
 * The places from the first one to this one.
 * @param {number | null} place
 */
export function pathTo(place) {
  const path = [];
  for (let at = place; at !== null; at = gamePage.places[at].before) path.unshift(at);
  return path;
}

/**
 * The names on the way to a place, without that of the only first one.
 * @param {number | null} place
 */
const namesTo = (place) => pathTo(place).filter((at) => at !== FIRST).map((at) => gamePage.places[at].name);

/** @param {number | null} place */
export const linkTo = (place) => `#${(place === START ? [] : namesTo(place)).map(encodeURIComponent).join(",")}`;

/* What a row is here, for the tables. */

export const setWords = { one: "information set", many: "information sets", title: "Information set", with: "At", held: "reached", done: "moves", none: "" };
/**
 * The largest probability in any equilibrium of each move that costs nothing and is never made here, by the name of the move.
 * @param {GameReading} reading @param {number} row
 */
export const alternativesOf = (reading, row) => reading.sets[row].alternatives;

/** @param {GameReading} reading @param {number} row */
export const rowName = (reading, row) => reading.sets[row].name;
/** @param {GameReading} reading @param {number} row */
export const rowMark = (reading, row) => element("span", { class: `named ${playerClass(reading.mover)}` }, rowName(reading, row));
export const rowWidth = () => "var(--named)";
/** @param {GameReading} reading */
export const listed = (reading) => [{ order: 0, title: "", rows: reading.rows }];

/**
 * How likely each information set is once play is at the place.
 * @param {GameReading} reading
 */
export function heldOf(reading) {
  const total = placeAt(reading.place).reach;
  return Number(total) > 0 ? inRows(reading.rows, reading.rows.map((row) => over(reading.sets[row].reach, total))) : null;
}
