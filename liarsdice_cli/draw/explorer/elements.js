/*
 * Elements and numbers as they are shown. Text is always text: nothing here reads HTML.
 */

import { colourOf, nameOf, playerName } from "./data.js";

/**
 * Return the element with this id, which is on the page.
 * @param {string} id
 */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * Return a new element. An attribute that is a function is a listener, and `style` is an object; null and false leave an
 * attribute out, and null leaves a child out.
 * @param {string} tag @param {Attributes} [attributes] @param {...Content} children
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else if (typeof value === "object" && value !== null) for (const [property, its] of Object.entries(value)) made.style.setProperty(property, String(its));
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, String(value));
  }
  made.append(...flat(children));
  return made;
}

/**
 * Return content as one list of nodes and texts, without null.
 * @param {Content[]} content @returns {(Node | string)[]}
 */
function flat(content) {
  return content.flatMap((one) => (Array.isArray(one) ? flat(one) : one === null || one === undefined ? [] : [/** @type {Node | string} */ (one)]));
}

/** The places of a face's pips. @type {Record<number | string, [number, number][]>} */
const PIPS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, 1], [-1, 1], [1, -1]],
  5: [[-1, -1], [1, 1], [-1, 1], [1, -1], [0, 0]],
  6: [[-1, -1], [1, 1], [-1, 1], [1, -1], [-1, 0], [1, 0]],
};

/** @param {string} tag @param {Record<string, string | number>} attributes @param {...(Node | string)} children */
function shape(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/**
 * One die: pips up to six, digits beyond, a question mark where it is hidden.
 * @param {number | string} face
 */
export function die(face) {
  const pips = (PIPS[face] || []).map(([x, y]) => shape("circle", { cx: 12 + 5.5 * x, cy: 12 + 5.5 * y, r: 2.2 }));
  const written = shape("text", { x: 12, y: 16.5, "text-anchor": "middle" }, String(face));
  const marks = pips.length ? pips : [written];
  return shape("svg", { viewBox: "0 0 24 24", class: "die", "aria-hidden": "true" },
    shape("rect", { x: 0.5, y: 0.5, width: 23, height: 23, rx: 5 }), ...marks);
}

/**
 * The class that gives the colour of a player; there are ten.
 * @param {number} player
 */
export const playerClass = (player) => `player${(player % 10) + 1}`;

/**
 * The dice of a player, in the player's colour.
 * @param {(number | string)[]} faces @param {number} player
 */
export function dice(faces, player) {
  return element("span", { class: `dice ${playerClass(player)}` }, faces.map(die));
}

/** @param {number} number */
export const player = (number) => element("b", { class: playerClass(number) }, playerName(number));
/** @param {(number | string)[]} faces */
export const rollName = (faces) => faces.join(" ");

/**
 * The square in the colour of an action.
 * @param {number} action
 */
export function swatch(action) {
  return element("span", { class: "swatch", style: { background: colourOf(action)[0] }, "aria-hidden": "true" });
}

/**
 * The name of an action after its square.
 * @param {number} action
 */
export const coloured = (action) => [swatch(action), nameOf(action)];

/**
 * Words for screen readers only.
 * @param {...Content} words
 */
export const hidden = (...words) => element("span", { class: "hidden" }, ...words);

/** @param {Attributes} attributes @param {...Content} content */
export const button = (attributes, ...content) => element("button", { type: "button", ...attributes }, ...content);

/**
 * The options of a choice, each with its value and its words.
 * @param {string[][]} choices @param {string} chosen
 */
export const options = (choices, chosen) => choices.map(([value, words]) => element("option", { value, selected: value === chosen }, words));

/** @param {string[]} names */
export const columnHeads = (names) => element("thead", {}, element("tr", {}, names.map((name) => element("th", { scope: "col" }, name))));

/**
 * A note; null if there are no words.
 * @param {string | null} words
 */
export const note = (words) => (words === null ? null : element("p", { class: "note" }, words));

/**
 * A note that is read out at once.
 * @param {string} words
 */
export const warning = (words) => element("p", { class: "note", role: "alert" }, words);

/* The first ten choices have the keys 1 to 9 and 0. */

/**
 * The key of a choice; null for later ones.
 * @param {number} at
 */
export const digitKey = (at) => (at < 10 ? element("kbd", { "aria-hidden": "true" }, String((at + 1) % 10)) : null);
/** @param {string} digit */
export const placeOfDigit = (digit) => (Number(digit) + 9) % 10;

/**
 * The one number that a line of the summary is about.
 * @param {string} value @param {...Content} words
 */
export const fact = (value, ...words) => element("li", {}, element("strong", {}, value), " ", ...words);

/** @param {string} words */
export const caption = (words) => element("p", {}, words);

/** @param {...Content} words */
export function heading(...words) {
  return element("h2", { id: "heading", tabindex: "-1" }, ...words);
}
