/*
 * The data of a page: everything that the scripts know about the game. Python writes them into the page as JSON.
 */

import { numberOf } from "./exact.js";

const parsed = JSON.parse(document.getElementById("data")?.textContent ?? "");

/** @type {CommonData} */
export const page = parsed;
/** @type {DiceData} */
export const dicePage = parsed;
/** @type {GameData} */
export const gamePage = parsed;

/** @type {CoachData} */
export const coachPage = parsed;

/** The lowest payoff and the highest one. */
export const [LEAST, MOST] = page.payoffs.map(numberOf);

/**
 * Return a whole number, exact if the page is exact.
 * @param {number} number
 */
export const whole = (number) => (page.fractions ? numberOf(String(number)) : number);
export const ONE = whole(1);

/* Actions are numbered; `page.actions.first` is the lowest number. In Liar's Dice a bid has its place in the order of bids, and
 * the actions that end a round are negative. In other games -1 is a move without a name. */

/** @param {number} action */
export const nameOf = (action) => page.actions.names[action - page.actions.first];

/**
 * Return the colour of an action, and the colour of text on it.
 * @param {number} action
 */
export const colourOf = (action) => page.actions.colours[action - page.actions.first];

/** @param {number} player */
export const playerName = (player) => page.players[player];
