/*
 * The two kinds of explorer: Liar's Dice, and any other game. The first module of a page sets `kind` before it draws anything.
 */

/** @type {Kind} */
export const kind = /** @type {any} */ ({});
