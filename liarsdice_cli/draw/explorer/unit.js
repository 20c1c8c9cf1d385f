/*
 * The unit of values in Liar's Dice, in words: chances to win if a win pays 1 and a loss 0, otherwise payoffs.
 */

import { dicePage, LEAST, MOST, page } from "./data.js";
import { minus, over } from "./exact.js";
import { payoff, share } from "./numerals.js";

/** In which unit payoffs are shown, in words: as chances to win where a win pays 1 and a loss 0, else as they are. */
export const diceUnit = page.isChance
  ? {
    column: dicePage.rolls.length > 2 ? "survives" : "wins",
    fact: (/** @type {Content} */ who) => ["is the probability that ", who, dicePage.rolls.length > 2 ? " does not lose" : " wins"],
    values: (/** @type {string} */ who) => `How often a move ${dicePage.rolls.length > 2 ? "keeps" : "wins for"} ${who}${dicePage.rolls.length > 2 ? " from losing" : ""}`,
    costs: `How much less often a move ${dicePage.rolls.length > 2 ? "avoids losing" : "wins"} than the best one with the same roll, ${dicePage.fractions ? "in percentage points or as a fraction" : "in percentage points"}`,
  }
  : {
    column: "value",
    fact: (/** @type {Content} */ who, /** @type {Num} */ value) => ["is what ", who, " gains a game on average: ", `${share(over(minus(value, LEAST), minus(MOST, LEAST)))} ${dicePage.rolls.length > 2 ? "not lost" : "won"}`],
    values: (/** @type {string} */ who) => `What a move gains ${who} on average, from ${payoff(LEAST)} (lost) to ${payoff(MOST)} (${dicePage.rolls.length > 2 ? "not lost" : "won"})`,
    costs: "How much less a move gains on average than the best one with the same roll",
  };
