/*
 * The page around its content: keys, colours, and the address, which determines the content.
 */

import { page } from "./data.js";
import { byId, element, warning } from "./elements.js";
import { kind } from "./kind.js";
import { numerals } from "./numerals.js";
import { prepareTheme } from "./theme.js";

/** Of two histories side by side, the one in which keys move. */
const MARKED_SIDE = ".side[aria-current]";

/** What the reader has chosen, besides the history in the address. @type {{ view: string, row: number | null }} */
export const chosen = { view: "strategy", row: null };

/**
 * Put elements on the page; null is left out.
 * @param {(Element | null)[]} content
 */
export function show(content) {
  byId("main").replaceChildren(...content.filter((one) => one !== null));
}

/** Another page of the same address: the same history, with other choices. */
function redraw() {
  show(kind.content());
}

/**
 * Keep the focus where it was while the page is drawn anew.
 * @param {string} focused
 */
export function again(focused) {
  redraw();
  /** @type {HTMLElement | null} */ (document.querySelector(focused))?.focus({ preventScroll: true });
}

/** @param {string} view */
export function chooseView(view) {
  chosen.view = view;
  again(`#view-${view}`);
}

/** @param {number} row */
export function chooseRow(row) {
  chosen.row = row;
  const side = document.querySelector(MARKED_SIDE) ? `${MARKED_SIDE} ` : "";
  again(`${side}[data-row="${row}"]`);
}

/**
 * Choose another of these rows, so many further on; after the last comes the first.
 * @param {number[]} rows @param {number} by
 */
export function stepRow(rows, by) {
  if (rows.length) chooseRow(rows[(rows.indexOf(chosen.row ?? -1) + by + rows.length) % rows.length]);
}

/** Draw what the address says. */
async function arrive() {
  // a served page keeps its address to itself: it contains the secret
  byId("address").textContent = location.protocol === "file:" ? location.href.slice(0, 200) : location.hash;
  await kind.draw();
}

async function moved() {
  if (location.hash !== "#quiz") chosen.row = null;
  const wasBeside = document.querySelector(MARKED_SIDE) !== null;
  await arrive();
  const title = wasBeside ? /** @type {HTMLElement | null} */ (document.querySelector(`${MARKED_SIDE} h3`)) : null;
  (title ?? document.getElementById("heading"))?.focus({ preventScroll: true });
}

/** The explanation of the page. */
const dialog = () => /** @type {HTMLDialogElement} */ (byId("keys"));

/** @type {Record<string, () => unknown>} */
const KEYS = {
  ArrowLeft: () => kind.isShown() && kind.back(),
  ArrowRight: () => kind.isShown() && kind.onwards(),
  ArrowUp: () => kind.isShown() && kind.step(-1),
  ArrowDown: () => kind.isShown() && kind.step(1),
  Home: () => (location.hash = ""),
  s: () => kind.isShown() && chooseView("strategy"),
  v: () => kind.isShown() && chooseView("values"),
  m: () => kind.isShown() && chooseView("mistakes"),
  "?": () => dialog().showModal(),
};

/** @param {KeyboardEvent} event */
function pressed(event) {
  if (dialog().open) return;
  const target = /** @type {Element} */ (event.target);
  const scrolls = target.closest?.(".scroll") && event.key.startsWith("Arrow") && target.scrollWidth > target.clientWidth;
  const held = event.ctrlKey || event.altKey || event.metaKey;
  if (!held && kind.typed(event)) return;
  const chooses = target.matches?.("select") && event.key !== "?";
  if (held || scrolls || chooses) return;
  const keys = { ...KEYS, ...kind.keys };
  if (!Object.hasOwn(keys, event.key)) return;
  event.preventDefault();
  keys[event.key]();
}

function prepare() {
  byId("about").textContent = page.about;
  byId("rules").textContent = page.rules;
  byId("unit").append(element("b", {}, `${kind.unit.column[0].toUpperCase()}${kind.unit.column.slice(1)}. `), `${kind.unit.values("the mover")}, if all players follow the strategy afterwards.`);
  byId("source").textContent = page.source;
  kind.prepare();
  byId("to-keys").addEventListener("click", KEYS["?"]);
  const fractions = byId("fractions");
  fractions.hidden = !page.fractions;
  fractions.addEventListener("click", () => {
    numerals.inFractions = !numerals.inFractions;
    fractions.setAttribute("aria-pressed", String(numerals.inFractions));
    redraw();
  });
  prepareTheme();
}

export async function start() {
  prepare();
  try {
    await kind.open();
    await arrive();
  } catch (error) {
    show([warning(`The page cannot be shown: ${/** @type {Error} */ (error).message}`)]);
    return;
  }
  window.addEventListener("hashchange", () => moved().catch((error) => show([warning(error.message)])));
  document.addEventListener("keydown", pressed);
  document.documentElement.dataset.ready = "";
}
