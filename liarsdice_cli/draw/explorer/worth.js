/*
 * Values and costs of the actions of a reading.
 */

import { highest, minus, sum, times } from "./exact.js";

/**
 * Return the values of the actions in a row; null if one of them is unknown.
 * @param {AnyReading} reading @param {number} row
 */
export function valuesIn(reading, row) {
  const values = reading.values?.map((ofAction) => ofAction[row]) ?? null;
  return values?.every((value) => value !== null) ? values : null;
}

/**
 * Return the expected value of a row; null if it is unknown.
 * @param {AnyReading} reading @param {number} row
 */
export function worthOf(reading, row) {
  const values = valuesIn(reading, row);
  return values && sum(values.map((value, at) => times(reading.probabilities[at][row], value)));
}

/**
 * Return the best value in a row minus that of an action; null if values are unknown.
 * @param {AnyReading} reading @param {number} at @param {number} row
 */
export function costOf(reading, at, row) {
  const values = valuesIn(reading, row);
  return values && minus(highest(values), values[at]);
}
