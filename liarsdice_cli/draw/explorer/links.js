/*
 * Addresses of histories in Liar's Dice, and their names.
 */

import { nameOf } from "./data.js";

/**
 * Return the address of a history, with the name of the action that ended it, if one did.
 * @param {number[]} history @param {string[]} [end]
 */
export const linkTo = (history, end = []) => `#${[...history.map(nameOf), ...end].join(",")}`;
/** @param {number[]} history */
export const written = (history) => history.map(nameOf).join(" ") || "the opening";
