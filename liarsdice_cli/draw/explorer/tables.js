/*
 * Tables over the rows of a reading: what is done with each, what every move is worth and costs there. A row is what only
 * the mover knows: a roll, or an information set of any other game.
 */

import { colourOf, LEAST, MOST, nameOf, playerName } from "./data.js";
import { button, coloured, columnHeads, element, hidden, note, swatch } from "./elements.js";
import { kind } from "./kind.js";
import { isPositive, lost, share, worth } from "./numerals.js";
import { chooseRow, chooseView, chosen } from "./page.js";
import { costOf, valuesIn, worthOf } from "./worth.js";

const VIEWS = { strategy: "Strategy", values: "Values", mistakes: "Mistakes" };

/** @param {AnyReading} reading */
export const shownRows = (reading) => kind.rows.listed(reading).flatMap((group) => group.rows);

export function tabs() {
  return element("div", { class: "tabs", role: "group", "aria-label": "What to show" },
    Object.entries(VIEWS).map(([view, name]) =>
      button({ id: `view-${view}`, "aria-pressed": String(view === chosen.view), onclick: () => chooseView(view) }, name)));
}

/**
 * What the reader has chosen to see of a reading.
 * @param {AnyReading} reading
 */
export const viewOf = (reading) => (chosen.view === "strategy" ? strategyTable(reading) : numberTable(reading, chosen.view === "mistakes"));

/**
 * How strongly a cell is coloured: by its place between the lowest and the highest payoff, or by the cost.
 * @param {AnyReading} reading @param {number} at @param {number} row @param {boolean} isCost
 */
function depthOf(reading, at, row, isCost) {
  const range = Number(MOST) - Number(LEAST);
  const values = valuesIn(reading, row);
  if (!values || !range) return 0;
  return isCost ? Math.min(1, (1.6 * Number(costOf(reading, at, row))) / range) : (Number(values[at]) - Number(LEAST)) / range;
}

/**
 * A row for every move, a column for every row of the reading: what the move is worth, or what it costs against the best one.
 * @param {AnyReading} reading @param {boolean} isCost
 */
function numberTable(reading, isCost) {
  const { values } = reading;
  if (!values) return note("There are no values here.");
  const order = shownRows(reading);
  const named = (/** @type {number} */ row) => `${kind.rows.words.one} ${kind.rows.rowName(reading, row)}`;
  const head = element("tr", {}, element("th", { scope: "col" }, hidden("move")),
    order.map((row) => element("th", { scope: "col", class: row === chosen.row ? "chosen" : null, "aria-label": named(row) },
      button({ "data-row": row, "aria-label": named(row), onclick: () => chooseRow(row) }, kind.rows.rowMark(reading, row)))));
  const rows = reading.actions.map((action, at) =>
    element("tr", {}, element("th", { scope: "row" }, coloured(action)),
      order.map((row) => {
        const number = isCost ? lost(costOf(reading, at, row)) : worth(values[at][row]);
        const taken = isPositive(reading.probabilities[at][row]);
        return element("td", {
          class: [taken ? "taken" : "", row === chosen.row ? "chosen" : ""].join(" "),
          style: { "--depth": depthOf(reading, at, row, isCost) },
          title: taken ? `taken with ${share(reading.probabilities[at][row])}` : null,
        }, number);
      })));
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": isCost ? "What every move costs" : "What every move is worth" },
    element("table", { class: isCost ? "costs" : "values" },
      element("caption", {}, element("span", {}, isCost ? kind.unit.costs : kind.unit.values(playerName(reading.mover)), "; bold: taken")),
      element("thead", {}, head), element("tbody", {}, rows)));
}

/**
 * Everything about one row: each move with its probability, value and cost.
 * @param {AnyReading} reading @param {string} [side] the end of the title's id, if the page has two
 */
export function detail(reading, side = "") {
  const { row } = chosen;
  if (row === null) return null;
  const rows = reading.actions.map((action, at) => {
    const chance = reading.probabilities[at][row];
    return element("tr", { class: isPositive(chance) ? null : "never" },
      element("th", { scope: "row" }, coloured(action)),
      element("td", {}, share(chance)),
      element("td", {}, reading.values ? worth(reading.values[at][row]) : "–"),
      element("td", {}, reading.values ? lost(costOf(reading, at, row)) : "–"));
  });
  return element("section", { class: "card detail", "aria-labelledby": `detail-title${side}` },
    element("h3", { id: `detail-title${side}` }, `${kind.rows.words.with} `, hidden(kind.rows.rowName(reading, row)), element("span", { "aria-hidden": "true" }, kind.rows.rowMark(reading, row))),
    kind.rows.besides(reading, row),
    element("table", {},
      columnHeads(["move", "taken", kind.unit.column, "costs"]),
      element("tbody", {}, rows)),
    indifference(reading, row));
}

/**
 * A bar of what is done in a row, as wide as the probabilities.
 * @param {AnyReading} reading @param {number} row
 */
function bar(reading, row) {
  const parts = reading.actions.map((action, at) => {
    const chance = reading.probabilities[at][row];
    if (!isPositive(chance)) return null;
    const [fill, ink] = colourOf(action);
    return element("span", {
      style: { "flex-grow": chance, background: fill, color: ink },
      title: `${nameOf(action)} ${share(chance)}`,
    }, element("i", {}, nameOf(action)));
  });
  return element("span", { class: "bar", "aria-hidden": "true" }, parts);
}

/**
 * What the colours of the bars are, for those too narrow for words.
 * @param {AnyReading} reading
 */
function legend(reading) {
  const taken = reading.actions.filter((_, at) => reading.probabilities[at].some(isPositive));
  return element("p", { class: "legend", "aria-hidden": "true" }, taken.map((action) => element("span", {}, coloured(action))));
}

/**
 * Everything that a row shows, in words.
 * @param {AnyReading} reading @param {number} row @param {Num[] | null} held
 */
function described(reading, row, held) {
  const taken = reading.actions
    .map((action, at) => /** @type {[number, Num]} */ ([action, reading.probabilities[at][row]]))
    .filter(([, chance]) => isPositive(chance))
    .map(([action, chance]) => `${nameOf(action)} ${share(chance)}`);
  const value = worthOf(reading, row);
  const its = value === null ? "" : `; ${kind.unit.column} ${worth(value)}`;
  const chance = held ? `; ${kind.rows.words.held} ${share(held[row])}` : "";
  return `${kind.rows.words.title} ${kind.rows.rowName(reading, row)}: ${taken.join(", ")}${chance}${its}`;
}

/** @param {AnyReading} reading @param {number} row @param {Num[] | null} held */
function rowButton(reading, row, held) {
  const mark = kind.rows.rowMark(reading, row);
  mark.setAttribute("aria-hidden", "true");
  return element("li", {}, button({
    class: `row${held && !isPositive(held[row]) ? " never" : ""}`,
    "data-row": row,
    "aria-pressed": String(row === chosen.row),
    onclick: () => chooseRow(row),
  },
  hidden(described(reading, row, held)),
  mark,
  element("small", { "aria-hidden": "true" }, held ? share(held[row]) : ""),
  bar(reading, row),
  element("span", { class: "number", "aria-hidden": "true" }, worth(worthOf(reading, row)))));
}

/**
 * A line for every row: what it is, how likely, what is done there, what it is worth.
 * @param {AnyReading} reading
 */
export function strategyTable(reading) {
  const held = kind.rows.heldOf(reading);
  const groups = kind.rows.listed(reading);
  return element("div", { class: "strategy" },
    legend(reading),
    element("div", { class: "captions", "aria-hidden": "true" },
      element("span", { style: { "min-width": kind.rows.rowWidth(reading) } }, kind.rows.words.one), element("span", {}, kind.rows.words.held), element("span", {}, kind.rows.words.done), element("span", {}, kind.unit.column)),
    groups.length ? null : note(kind.rows.words.none),
    groups.flatMap((group) => [
      group.title ? element("h4", {}, group.swatch === undefined ? null : swatch(group.swatch), group.title, ` (${group.rows.length})`) : null,
      element("ol", { "aria-label": group.title || kind.rows.words.many }, group.rows.map((row) => rowButton(reading, row, held))),
    ]));
}

/**
 * What other equilibria do with the moves that cost nothing and are never taken, as far as it is proved.
 * @param {AnyReading} reading @param {number} row
 */
function indifference(reading, row) {
  const shares = Object.entries(kind.rows.alternativesOf(reading, row) || {});
  if (!shares.length) return null;
  const [always, never] = ["1", "0"].map((share) => shares.filter(([, its]) => its === share).map(([move]) => move));
  const cost = (/** @type {string[]} */ moves) => `${moves.join(", ")} ${moves.length > 1 ? "cost" : "costs"} nothing`;
  const BETTER = "The others have a better answer to a player who does.";
  return element("p", { class: "why" },
    !always.length ? null : always.length > 1 ? `${cost(always)}: each is taken in another equilibrium. ` : `${cost(always)}: another equilibrium takes it. `,
    shares.filter(([, its]) => its !== "1" && its !== "0").map(([move, its]) => `${cost([move])}, but no equilibrium that gets here takes it with a probability above ${its}. `),
    never.length ? `${cost(never)}, but no equilibrium that gets here takes ${never.length > 1 ? "any of them" : "it"}. ${BETTER}` : null);
}
