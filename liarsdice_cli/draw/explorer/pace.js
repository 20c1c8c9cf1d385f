/*
 * How fast a round is played, in milliseconds.
 */

export const PACE = { roll: 90, turns: 8, move: 700 };

/** Whether the reader wants nothing to move. */
export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @param {number} milliseconds */
export const pause = (milliseconds) => new Promise((done) => setTimeout(done, isStill() ? 0 : milliseconds));
