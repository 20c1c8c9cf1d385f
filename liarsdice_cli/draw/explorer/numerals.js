/*
 * Numbers as the page shows them.
 */

import { LEAST, MOST, page } from "./data.js";
import { Fraction } from "./exact.js";

/** What the reader has chosen: whether numbers are shown as fractions. */
export const numerals = { inFractions: false };

/** The most characters of a number that is shown as a fraction. */
const LONGEST = 15;

/** @param {Num} number @param {number} digits */
export const rounded = (number, digits) => Number(Number(number).toFixed(digits));

/**
 * Return a number of things.
 * @param {number} number @param {string} one @param {string} [many]
 */
export const counted = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;

/**
 * Return a number as a fraction; null for a number that is shown in decimals.
 * @param {Num | null} number
 */
function fractionOf(number) {
  return numerals.inFractions && number instanceof Fraction && number.text.length <= LONGEST ? number.text : null;
}

/** The largest probability that counts as 0; only floats have rounding errors. */
const TINY = 1e-9;

/**
 * Return whether a probability is shown as more than 0.
 * @param {Num | null} chance
 */
export const isPositive = (chance) => (chance instanceof Fraction ? chance.above > 0n : Number(chance) > TINY);

/** @param {Num | null} number */
export function share(number) {
  if (number === null) return "–";
  const fraction = fractionOf(number);
  if (fraction) return fraction;
  if (numerals.inFractions && number === 0) return "0";
  const percent = Number(number) * 100;
  if (isPositive(number) && percent < 0.05) return "< 0.1 %";
  if (percent < 100 * (1 - TINY) && percent >= 99.95) return "> 99.9 %";
  return `${rounded(percent, 1)} %`;
}

/** @param {Num | null} number */
export function payoff(number) {
  const fraction = fractionOf(number);
  if (fraction) return fraction;
  const rounded = Math.abs(Number(number)).toFixed(3);
  const short = Number.isInteger(Number(rounded)) ? String(Number(rounded)) : rounded;
  return Number(number) < 0 && short !== "0" ? `-${short}` : short;
}

/**
 * Return a value in the page's unit, or a dash if it is unknown.
 * @param {Num | null} number
 */
export const worth = (number) => (number === null ? "–" : page.isChance ? share(number) : payoff(number));

/** The largest cost that counts as nothing: if a strategy is only near an equilibrium, a thousandth of the payoff range is noise. */
const NOISE = page.fractions ? 0 : page.exact ? 5e-6 : 1e-3 * (Number(MOST) - Number(LEAST));
/** @param {Num | null} cost */
export const isNothing = (cost) => cost !== null && Number(cost) <= NOISE;

/**
 * A cost in that unit: nothing is lost where rounding alone says so.
 * @param {Num | null} cost
 */
export function lost(cost) {
  if (cost === null) return "–";
  if (isNothing(cost) || (Number(cost) < 5e-6 && !fractionOf(cost))) return "0";
  if (page.isChance) return share(cost);
  return Number(cost) < 5e-4 && !fractionOf(cost) ? "< 0.001" : payoff(cost);
}

/**
 * A sum of costs, which may exceed one round: in rounds if values are probabilities, otherwise in payoffs.
 * @param {Num} cost
 */
export const lostInAll = (cost) => (page.isChance && lost(cost) !== "0" ? inRounds(cost) : lost(cost));

/** @param {Num} number */
function inRounds(number) {
  const text = fractionOf(number) ?? (Number(number) < 0.005 ? "< 0.01" : String(rounded(number, 2)));
  return `${text} ${text === "1" ? "round" : "rounds"}`;
}
