/*
 * Getting around in any game. The address says what is shown by the names on the way: #pass,bet.
 */

import { gamePage, page } from "./data.js";
import { byId, element } from "./elements.js";
import { crumbs, decision, opening } from "./game_views.js";
import { kind } from "./kind.js";
import { chooseRow, chosen, show, start } from "./page.js";
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

/** The place on the gamePage. */
let shown = /** @type {{ place: number | null } | null} */ (null);

async function draw() {
  let place;
  try {
    place = fromAddress(location.hash);
  } catch {
    place = undefined; // no address that can be decoded
  }
  const warning = place === undefined ? element("p", { class: "note", role: "alert" }, "The address names no place of this page; this is the start.") : null;
  shown = { place: place === undefined ? FIRST : place };
  byId("path").replaceChildren(crumbs(shown.place));
  show([warning, ...content()]);
  document.title = `${shown.place === FIRST ? "Start" : written(shown.place)} · ${page.title}`;
}

const content = () => (shown.place === START ? opening() : decision(shown.place));

function back() {
  if (shown.place !== FIRST) location.hash = linkTo(gamePage.places[shown.place].before);
}

function onwards() {
  const links = linksFrom(shown.place).filter(({ to }) => to !== null);
  if (!links.length) return;
  const likeliest = links.reduce((best, link) => ((link.share || 0) > (best.share || 0) ? link : best));
  location.hash = linkTo(likeliest.to);
}

/** @param {number} by */
function step(by) {
  if (shown.place === START) return;
  const rows = readingsAt(shown.place).flatMap((reading) => reading.rows);
  chooseRow(rows[(rows.indexOf(chosen.row) + by + rows.length) % rows.length]);
}

Object.assign(kind, {
  unit: payoffUnit,
  rows: { words: setWords, rowMark, rowName, rowWidth, heldOf, listed, besides: /** @returns {null} */ () => null, alternativesOf },
  open: async () => {},
  isShown: () => shown !== null,
  draw, content, back, onwards, step,
  typed: () => false,
  keys: {},
  prepare: () => {},
});
start();
