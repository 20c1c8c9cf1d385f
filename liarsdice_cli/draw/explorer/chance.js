/*
 * Random draws.
 */

import { sum } from "./exact.js";

/**
 * Return a place in a list of weights, drawn in proportion to the weights.
 * @param {Num[]} chances @returns {number}
 */
export function drawn(chances) {
  let rest = Math.random() * Number(sum(chances));
  const at = chances.findIndex((chance) => {
    rest -= Number(chance);
    return rest < 0;
  });
  return at < 0 ? chances.findLastIndex((chance) => Number(chance) > 0) : at;
}
