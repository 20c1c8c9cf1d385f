/*
 * Which rolls are listed, in which order and in which groups, as the reader has chosen: one list for all views.
 */

/** What the reader has chosen; kept from page to page. */
const listing = { filter: "all", sort: "dice", group: "none" };

const SORTS = { dice: "by their dice", held: "likeliest first", worth: "best first", calls: "those that call first" };
const GROUPS = { none: "in one list", likeliest: "by likeliest move", counting: "by dice that count" };

/** The filters that part the rolls of a player: by a face each, the wild one first. */
function filters(rolls) {
  const faces = [...new Set(rolls.flat())].sort((one, other) => one - other);
  const named = faces.map((face) => [String(face), face === page.wild ? `with a wild ${face}` : `with a ${face}`]);
  const wild = page.wild === null ? [] : [["plain", "without a wild"]];
  return { all: "all rolls", ...Object.fromEntries(wild), ...Object.fromEntries(named) };
}

function passes(faces) {
  if (listing.filter === "plain") return !faces.includes(page.wild);
  return listing.filter === "all" || faces.includes(Number(listing.filter));
}

/** What rolls are sorted by, the highest first; equal ones stay in the order of their dice. */
function sortKey(reading, roll) {
  if (listing.sort === "held") return (beliefs(reading, reading.mover) || reading.reaches[reading.mover])[roll];
  if (listing.sort === "worth") return reading.values ? worthOf(reading, roll) : 0;
  if (listing.sort === "calls") return reading.actions[0] === CALL ? reading.probabilities[0][roll] : 0;
  return -roll;
}

function groupOf(reading, roll) {
  if (listing.group === "likeliest") {
    const chances = reading.probabilities.map((row) => row[roll]);
    const action = reading.actions[chances.indexOf(Math.max(...chances))];
    return { order: action, title: action === CALL ? "calls" : `bids ${nameOf(action)}`, swatch: action };
  }
  if (listing.group === "counting" && reading.history.length) {
    const bid = reading.history[reading.history.length - 1];
    const counting = page.matching[reading.mover][roll][bid];
    return { order: -counting, title: `${counting} of these dice count for ${nameOf(bid)}` };
  }
  return { order: 0, title: "" };
}

/** The rolls that are listed: groups, each with a title ("" where there is but one) and its rolls. */
function listed(reading) {
  const rolls = page.rolls[reading.mover];
  if (!(listing.filter in filters(rolls))) listing.filter = "all";
  const key = rolls.map((_, roll) => sortKey(reading, roll));
  const shown = rolls.map((_, roll) => roll).filter((roll) => passes(rolls[roll])).sort((one, other) => key[other] - key[one] || one - other);
  const groups = new Map();
  for (const roll of shown) {
    const group = groupOf(reading, roll);
    if (!groups.has(group.title)) groups.set(group.title, { ...group, rolls: [] });
    groups.get(group.title).rolls.push(roll);
  }
  return [...groups.values()].sort((one, other) => one.order - other.order);
}

const shownRolls = (reading) => listed(reading).flatMap((group) => group.rolls);

function selection(id, name, options) {
  const select = element("select", { id: `rolls-${id}`, onchange: (event) => relist(id, event.target.value) },
    Object.entries(options).map(([value, words]) => element("option", { value, selected: listing[id] === value }, words)));
  return element("label", {}, name, " ", select);
}

/** The choices of what is listed; few rolls need none. */
function rollTools(reading) {
  if (page.rolls[reading.mover].length <= 6) return null;
  return element("div", { class: "roll-tools" },
    selection("filter", "Show", filters(page.rolls[reading.mover])), selection("sort", "sorted", SORTS), selection("group", "listed", GROUPS));
}

function relist(id, value) {
  listing[id] = value;
  again(`#rolls-${id}`);
}

/** A bar of what is done with a roll, as wide as the probabilities. */
function bar(reading, roll) {
  const parts = reading.actions.map((action, at) => {
    const chance = reading.probabilities[at][roll];
    if (!chance) return null;
    const [fill, ink] = page.colours[action + 1];
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

function described(reading, roll) {
  const taken = reading.actions
    .map((action, at) => [action, reading.probabilities[at][roll]])
    .filter(([, chance]) => chance > 0)
    .map(([action, chance]) => `${nameOf(action)} ${share(chance)}`);
  const its = reading.values ? `; ${UNIT.column} ${worth(worthOf(reading, roll))}` : "";
  return `Roll ${rollName(page.rolls[reading.mover][roll])}: ${taken.join(", ")}${its}`;
}

function rollRow(reading, roll, held) {
  return element("li", {}, element("button", {
    type: "button",
    class: `roll${held && !held[roll] ? " never" : ""}`,
    "data-roll": roll,
    "aria-pressed": String(roll === chosen.roll),
    "aria-label": described(reading, roll),
    onclick: () => chooseRoll(roll),
  },
  dice(page.rolls[reading.mover][roll], reading.mover),
  element("small", {}, held ? share(held[roll]) : ""),
  bar(reading, roll),
  element("span", { class: "number" }, reading.values ? worth(worthOf(reading, roll)) : "–")));
}

/** A row for every roll of who moves: its dice, how likely it is, what is done with it, what it is worth. */
function strategyTable(reading) {
  const held = beliefs(reading, reading.mover);
  const groups = listed(reading);
  return element("div", { class: "strategy" },
    legend(reading),
    element("div", { class: "captions", "aria-hidden": "true" },
      element("span", { style: { "min-width": `calc(${page.rolls[reading.mover][0].length} * (1.55rem + 2px) - 2px)` } }, "roll"), element("span", {}, "held"), element("span", {}, "what is done with it"), element("span", {}, UNIT.column)),
    groups.length ? null : element("p", { class: "note" }, "No roll is like that."),
    groups.map((group) => [
      group.title ? element("h4", {}, group.swatch === undefined ? null : swatch(group.swatch), group.title, ` (${group.rolls.length})`) : null,
      element("ol", { "aria-label": group.title || "rolls" }, group.rolls.map((roll) => rollRow(reading, roll, held))),
    ]).flat());
}
