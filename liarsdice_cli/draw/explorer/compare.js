/*
 * Two histories side by side: the address is #1x2;1x2,2x3, and each side can be led on by itself.
 */

/** The history that the reader keeps to compare others with, or null. */
let kept = null;

const compared = (one, other) => `${linkTo(one)};${linkTo(other).slice(1)}`;

function keep(history) {
  kept = history;
  again("#keep");
}

/** The button that keeps a history, or the link that sets it beside the one that was kept. */
function comparing(reading) {
  const here = linkTo(reading.history);
  const other = kept && linkTo(kept) !== here ? element("a", { id: "compare", href: compared(kept, reading.history) }, `Set beside ${written(kept)}`) : null;
  const isKept = kept !== null && linkTo(kept) === here;
  return element("p", { class: "tools compare" },
    element("button", { type: "button", id: "keep", "aria-pressed": String(isKept), onclick: () => keep(isKept ? null : reading.history) },
      isKept ? "Kept: now go elsewhere" : "Keep to compare"), other);
}

function side(reading, linked, name) {
  const note = gap(reading);
  return element("section", { class: "side", "aria-label": name },
    element("h3", {}, player(reading.mover), reading.history.length ? ` after ${written(reading.history)}` : " opens"),
    summary(reading),
    note && element("p", { class: "note" }, note),
    moves(reading, linked),
    element("div", { class: "card" }, strategyTable(reading)),
    overall(reading),
    element("p", { class: "tools" }, element("a", { href: linkTo(reading.history) }, "Only this")));
}

/** The page with two histories. */
function comparison(one, other) {
  const mover = page.rolls[one.mover].length > page.rolls[other.mover].length ? one : other;
  return [
    heading("Two histories side by side"),
    rollTools(mover),
    element("div", { class: "columns even sides" },
      side(one, (history) => compared(history, other.history), "on the left"),
      side(other, (history) => compared(one.history, history), "on the right")),
  ];
}
