/*
 * A history that the reader keeps in order to compare others with it. The address of two histories is #1x2;1x2,2x3.
 */

import { button, element } from "./elements.js";
import { linkTo, written } from "./links.js";
import { again } from "./page.js";

/** The history that the reader keeps to compare others with. @type {number[] | null} */
let kept = null;

/** @param {number[]} one @param {number[]} other */
export const compared = (one, other) => `${linkTo(one)};${linkTo(other).slice(1)}`;

/** @param {number[] | null} history */
export function keep(history) {
  kept = history;
  again("#keep");
}

/**
 * The button that keeps a history, or the link that sets it beside the one that was kept.
 * @param {Reading} reading
 */
export function comparing(reading) {
  const here = linkTo(reading.history);
  const other = kept && linkTo(kept) !== here ? element("a", { id: "compare", href: compared(kept, reading.history) }, `Set beside ${written(kept)}`) : null;
  const isKept = kept !== null && linkTo(kept) === here;
  return element("p", { class: "tools compare" },
    button({ id: "keep", "aria-pressed": String(isKept), onclick: () => keep(isKept ? null : reading.history) },
      isKept ? "Kept: now open another history" : "Keep to compare"), other);
}
