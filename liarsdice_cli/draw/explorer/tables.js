/*
 * Tables over the rows of a reading: what is done with each, what every move is worth and costs there. A row is what only
 * the mover knows: a roll, or an information set of any other game.
 *
 * What the rows are, the page's own scripts say:
 *   ROW                    its words: { one, many, title, none }
 *   rowMark(reading, row)  how it is shown, rowName(reading, row) in words, rowWidth(reading) the room that it takes, as CSS
 *   heldOf(reading)        the probability of every row, null where nobody can know
 *   listed(reading)        the rows that are shown, in groups
 *   besides(reading)       what else there is to say of the chosen row, or null
 *   alternativesOf         the largest probability in any equilibrium of each move of a row that costs nothing, as far as it is proved
 */

const VIEWS = { strategy: "Strategy", values: "Values", mistakes: "Mistakes" };

/** What the reader has chosen, besides the history in the address. */
const chosen = { view: "strategy", row: null };

const shownRows = (reading) => listed(reading).flatMap((group) => group.rows);

/** Whether it is known what moves are worth in a row. */
const isKnown = (reading, row) => reading.values !== null && reading.values.every((values) => values[row] !== null);

const worthOf = (reading, row) =>
  isKnown(reading, row) ? sum(reading.actions.map((_, at) => times(reading.probabilities[at][row], reading.values[at][row]))) : null;

function costOf(reading, at, row) {
  return isKnown(reading, row) ? minus(highest(reading.values.map((values) => values[row])), reading.values[at][row]) : null;
}

/** The one number that a line of the summary is about. */
const fact = (value, ...words) => element("li", {}, element("strong", {}, value), " ", ...words);

function heading(...words) {
  return element("h2", { id: "heading", tabindex: "-1" }, ...words);
}

function tabs() {
  return element("div", { class: "tabs", role: "group", "aria-label": "What to show" },
    Object.entries(VIEWS).map(([view, name]) =>
      element("button", { type: "button", id: `view-${view}`, "aria-pressed": String(view === chosen.view), onclick: () => chooseView(view) }, name)));
}

/** What the reader has chosen to see of a reading. */
const viewOf = (reading) => (chosen.view === "strategy" ? strategyTable(reading) : numberTable(reading, chosen.view === "mistakes"));

/** How strongly a cell is coloured: by its place between the lowest and the highest payoff, or by the cost. */
function depthOf(reading, at, row, isCost) {
  const range = MOST - LEAST;
  if (!isKnown(reading, row) || !range) return 0;
  return isCost ? Math.min(1, (1.6 * costOf(reading, at, row)) / range) : (reading.values[at][row] - LEAST) / range;
}

/** A row for every move, a column for every row of the reading: what the move is worth, or what it costs against the best one. */
function numberTable(reading, isCost) {
  if (!reading.values) return element("p", { class: "note" }, "There are no values here.");
  const order = shownRows(reading);
  const named = (row) => `${ROW.one} ${rowName(reading, row)}`;
  const head = element("tr", {}, element("th", { scope: "col" }, element("span", { class: "hidden" }, "move")),
    order.map((row) => element("th", { scope: "col", class: row === chosen.row ? "chosen" : null, "aria-label": named(row) },
      element("button", { type: "button", "data-row": row, "aria-label": named(row), onclick: () => chooseRow(row) }, rowMark(reading, row)))));
  const rows = reading.actions.map((action, at) =>
    element("tr", {}, element("th", { scope: "row" }, swatch(action), nameOf(action)),
      order.map((row) => {
        const number = isCost ? lost(costOf(reading, at, row)) : worth(reading.values[at][row]);
        const taken = reading.probabilities[at][row] > 0;
        return element("td", {
          class: [taken ? "taken" : "", row === chosen.row ? "chosen" : ""].join(" "),
          style: { "--depth": depthOf(reading, at, row, isCost) },
          title: taken ? `taken with ${share(reading.probabilities[at][row])}` : null,
        }, number);
      })));
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": isCost ? "What every move costs" : "What every move is worth" },
    element("table", { class: isCost ? "costs" : "values" },
      element("caption", {}, element("span", {}, isCost ? UNIT.costs : UNIT.values(playerName(reading.mover)), "; bold: taken")),
      element("thead", {}, head), element("tbody", {}, rows)));
}

/** Everything about one row: each move with its probability, value and cost. */
function detail(reading) {
  const rows = reading.actions.map((action, at) => {
    const chance = reading.probabilities[at][chosen.row];
    return element("tr", { class: chance ? null : "never" },
      element("th", { scope: "row" }, swatch(action), nameOf(action)),
      element("td", {}, share(chance)),
      element("td", {}, reading.values ? worth(reading.values[at][chosen.row]) : "–"),
      element("td", {}, reading.values ? lost(costOf(reading, at, chosen.row)) : "–"));
  });
  return element("section", { class: "card detail", "aria-labelledby": "detail-title" },
    element("h3", { id: "detail-title" }, `${ROW.with} `, element("span", { class: "hidden" }, rowName(reading, chosen.row)), element("span", { "aria-hidden": "true" }, rowMark(reading, chosen.row))),
    besides(reading),
    element("table", {},
      element("thead", {}, element("tr", {}, ["move", "taken", UNIT.column, "costs"].map((name) => element("th", { scope: "col" }, name)))),
      element("tbody", {}, rows)),
    indifference(reading));
}

/** A bar of what is done in a row, as wide as the probabilities. */
function bar(reading, row) {
  const parts = reading.actions.map((action, at) => {
    const chance = reading.probabilities[at][row];
    if (!chance) return null;
    const [fill, ink] = colourOf(action);
    return element("span", {
      style: { "flex-grow": chance, background: fill, color: ink },
      title: `${nameOf(action)} ${share(chance)}`,
    }, element("i", {}, nameOf(action)));
  });
  return element("span", { class: "bar" }, parts);
}

/** What the colours of the bars are, for those too narrow for words. */
function legend(reading) {
  const taken = reading.actions.filter((_, at) => reading.probabilities[at].some((chance) => chance > 0));
  return element("p", { class: "legend", "aria-hidden": "true" }, taken.map((action) => element("span", {}, swatch(action), nameOf(action))));
}

function described(reading, row) {
  const taken = reading.actions
    .map((action, at) => [action, reading.probabilities[at][row]])
    .filter(([, chance]) => chance > 0)
    .map(([action, chance]) => `${nameOf(action)} ${share(chance)}`);
  const its = isKnown(reading, row) ? `; ${UNIT.column} ${worth(worthOf(reading, row))}` : "";
  return `${ROW.title} ${rowName(reading, row)}: ${taken.join(", ")}${its}`;
}

function rowButton(reading, row, held) {
  return element("li", {}, element("button", {
    type: "button",
    class: `row${held && !held[row] ? " never" : ""}`,
    "data-row": row,
    "aria-pressed": String(row === chosen.row),
    "aria-label": described(reading, row),
    onclick: () => chooseRow(row),
  },
  rowMark(reading, row),
  element("small", {}, held ? share(held[row]) : ""),
  bar(reading, row),
  element("span", { class: "number" }, worth(worthOf(reading, row)))));
}

/** A line for every row: what it is, how likely, what is done there, what it is worth. */
function strategyTable(reading) {
  const held = heldOf(reading);
  const groups = listed(reading);
  return element("div", { class: "strategy" },
    legend(reading),
    element("div", { class: "captions", "aria-hidden": "true" },
      element("span", { style: { "min-width": rowWidth(reading) } }, ROW.one), element("span", {}, ROW.held), element("span", {}, ROW.done), element("span", {}, UNIT.column)),
    groups.length ? null : element("p", { class: "note" }, ROW.none),
    groups.map((group) => [
      group.title ? element("h4", {}, group.swatch === undefined ? null : swatch(group.swatch), group.title, ` (${group.rows.length})`) : null,
      element("ol", { "aria-label": group.title || ROW.many }, group.rows.map((row) => rowButton(reading, row, held))),
    ]).flat());
}

/** What other equilibria do with the moves that cost nothing and are never taken, as far as it is proved. */
function indifference(reading) {
  const shares = Object.entries(alternativesOf(reading, chosen.row) || {});
  if (!shares.length) return null;
  const [always, never] = ["1", "0"].map((share) => shares.filter(([, its]) => its === share).map(([move]) => move));
  const cost = (moves) => `${moves.join(", ")} ${moves.length > 1 ? "cost" : "costs"} nothing`;
  const BETTER = "The others have a better answer to a player who does.";
  return element("p", { class: "why" },
    !always.length ? null : always.length > 1 ? `${cost(always)}: each is what another equilibrium does. ` : `${cost(always)}: another equilibrium does that. `,
    shares.filter(([, its]) => its !== "1" && its !== "0").map(([move, its]) => `${cost([move])}, but no equilibrium that gets here takes it more often than ${its}. `),
    never.length ? `${cost(never)}, but no equilibrium that gets here takes ${never.length > 1 ? "any of them" : "it"}. ${BETTER}` : null);
}
