/*
 * Getting around in any game. The address says what is shown by the names on the way: #pass,bet.
 */

import { gamePage, page } from "./data.js";
import { byId, warning } from "./elements.js";
import { crumbs, decision, opening } from "./game_views.js";
import { kind } from "./kind.js";
import { show, start, stepRow } from "./page.js";
import {
  alternativesOf, FIRST, heldOf, linksFrom, linkTo, listed, payoffUnit, readingsAt, rowMark, rowName, rowWidth, setWords,
  START, written,
} from "./places.js";

/**
 * The place that an address names; undefined where there is none.
 * @param {string} hash
 */
function fromAddress(hash) {
  const names = hash.slice(1).split(",").filter(Boolean).map(decodeURIComponent);
  return names.reduce((/** @type {number | null | undefined} */ place, name) => (place === undefined ? place : linksFrom(place).find((link) => link.name === name && link.to !== null)?.to), FIRST);
}

/** The place on the page; undefined until it is drawn for the first time. @type {number | null | undefined} */
let shown;

async function draw() {
  let place;
  try {
    place = fromAddress(location.hash);
  } catch {
    place = undefined; // no address that can be decoded
  }
  shown = place === undefined ? FIRST : place;
  byId("path").replaceChildren(crumbs(shown));
  show([place === undefined ? warning("The address names no state of this page; this is the start.") : null, ...content()]);
  document.title = `${shown === FIRST ? "Start" : written(shown)} · ${page.title}`;
}

const content = () => (shown === START || shown === undefined ? opening() : decision(shown));

function back() {
  if (typeof shown === "number" && shown !== FIRST) location.hash = linkTo(gamePage.places[shown].before);
}

function onwards() {
  if (shown === undefined) return;
  const links = linksFrom(shown).filter(({ to }) => to !== null);
  if (!links.length) return;
  const likeliest = links.reduce((best, link) => ((link.share || 0) > (best.share || 0) ? link : best));
  location.hash = linkTo(likeliest.to);
}

/** @param {number} by */
function step(by) {
  if (shown !== START && shown !== undefined) stepRow(readingsAt(shown).flatMap((reading) => reading.rows), by);
}

Object.assign(kind, {
  unit: payoffUnit,
  rows: { words: setWords, rowMark, rowName, rowWidth, heldOf, listed, besides: /** @returns {null} */ () => null, alternativesOf },
  open: async () => {},
  isShown: () => shown !== undefined,
  draw, content, back, onwards, step,
  typed: () => false,
  keys: {},
  prepare: () => {},
});
start();
