/*
 * What the page shows: everything the scripts know of the game, as Python wrote it.
 */

const page = JSON.parse(document.getElementById("data").textContent);

/** The lowest payoff and the highest one. */
const [LEAST, MOST] = page.payoffs.map(numberOf);

/** A whole number, exact if the page is exact. */
const whole = (number) => (page.fractions ? numberOf(String(number)) : number);
const ONE = whole(1);
