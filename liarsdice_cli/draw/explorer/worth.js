/*
 * Values and costs of the actions of a reading.
 */

import { highest, minus, sum, times } from "./exact.js";

/**
 * Whether it is known what moves are worth in a row.
 * @param {AnyReading} reading @param {number} row
 */
export const isKnown = (reading, row) => reading.values?.every((values) => values[row] !== null);

/** @param {AnyReading} reading @param {number} row */
export const worthOf = (reading, row) =>
  isKnown(reading, row) ? sum(reading.actions.map((_, at) => times(reading.probabilities[at][row], reading.values[at][row]))) : null;

/** @param {AnyReading} reading @param {number} at @param {number} row */
export function costOf(reading, at, row) {
  return isKnown(reading, row) ? minus(highest(reading.values.map((values) => values[row])), reading.values[at][row]) : null;
}
