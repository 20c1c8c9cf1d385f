/*
 * Parts of the page that its forms share.
 */

import { button, die, element } from "../explorer/elements.js";
import { counted } from "../explorer/numerals.js";

/** @param {number} number */
export const diceOf = (number) => counted(number, "die", "dice");
/** @param {...Content} content */
export const line = (...content) => element("p", { class: "line" }, ...content);
/** @param {string} key @param {string} words @param {() => void} onclick @param {Attributes} [more] */
export const mainButton = (key, words, onclick, more = {}) => button({ class: "main", "data-key": key, onclick, ...more }, words);

/**
 * A button that does nothing now and then, but keeps the focus.
 * @param {boolean} can @param {() => void} does
 */
export const sometimes = (can, does) => ({ "aria-disabled": can ? null : "true", onclick: () => can && does() });

/**
 * A number with a button to either side; `key` keeps the focus where it is when all is drawn anew.
 * @param {string} key @param {string} words @param {number} number @param {number} least @param {number} most @param {(number: number) => void} change
 * @param {string} [shown] the number as it stands between the buttons
 */
export function stepper(key, words, number, least, most, change, shown = String(number)) {
  const step = (/** @type {string} */ sign, /** @type {number} */ by, /** @type {string} */ name) => button({
    "data-key": `${key}${sign}`, "aria-label": `${name} ${words}`, title: name === "more" ? "One die more" : "One die fewer",
    ...sometimes(by < 0 ? number > least : number < most, () => change(number + by)),
  }, sign);
  return element("span", { class: "stepper", role: "group", "aria-label": `${words}: ${number}` },
    step("−", -1, "fewer"), element("b", {}, shown), step("+", 1, "more"));
}

/**
 * Faces to tap.
 * @param {string} words @param {number} sides @param {(face: number) => void} on @param {number | null} pressed @param {(face: number) => boolean} enabled
 */
export function faceButtons(words, sides, on, pressed, enabled) {
  return element("div", { class: "faces", role: "group", "aria-label": words }, Array.from({ length: sides }, (_, at) => at + 1).map((face) =>
    button({
      "data-key": `face${face}`, "aria-label": String(face), disabled: !enabled(face),
      "aria-pressed": pressed === null ? null : String(face === pressed), onclick: () => on(face),
    }, die(face))));
}
