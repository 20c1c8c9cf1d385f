"use strict";
/*
 * What the page shows: everything the scripts know of the game, as Python wrote it.
 */

const page = JSON.parse(document.getElementById("data").textContent);

const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);

/** The lowest payoff and the highest one. */
const [LEAST, MOST] = page.payoffs;
