/*
 * Which rolls are listed, in which order and in which groups, as the reader has chosen: one list for all views.
 */

/** What the reader has chosen; kept from page to page. */
const listing = { filter: "all", sort: "dice", group: "none" };

const SORTS = { dice: "by their dice", held: "likeliest first", worth: "best first", ...Object.fromEntries(endings.map((ending) => [nameOf(ending), `those that ${wordOf(ending)} first`])) };
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
  const ending = reading.actions.findIndex((action) => isEnding(action) && nameOf(action) === listing.sort);
  if (ending >= 0) return reading.probabilities[ending][roll];
  return -roll;
}

function groupOf(reading, roll) {
  if (listing.group === "likeliest") {
    const chances = reading.probabilities.map((row) => row[roll]);
    const at = chances.indexOf(highest(chances));
    const action = reading.actions[at];
    return { order: at, title: isEnding(action) ? verbOf(action) : `bids ${nameOf(action)}`, swatch: action };
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
    if (!groups.has(group.title)) groups.set(group.title, { ...group, rows: [] });
    groups.get(group.title).rows.push(roll);
  }
  return [...groups.values()].sort((one, other) => one.order - other.order);
}

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

/* What a row is here, for the tables. */

const ROW = { one: "roll", many: "rolls", title: "Roll", with: "With", held: "held", done: "what is done with it", none: "No roll is like that." };
/** The largest probability in any equilibrium of each move that costs nothing and is never made here, by the name of the move. */
const alternativesOf = (reading, roll) => page.alternatives[`${reading.history.map((bid) => page.bids[bid]).join(" ")}|${roll}`];
const rowMark = (reading, roll) => dice(page.rolls[reading.mover][roll], reading.mover);
const rowName = (reading, roll) => rollName(page.rolls[reading.mover][roll]);
const rowWidth = (reading) => `calc(${page.rolls[reading.mover][0].length} * (1.55rem + 2px) - 2px)`;
const heldOf = (reading) => beliefs(reading, reading.mover);

/** How likely the last bid is true to who holds the chosen roll, and spot-on where that may be said. */
function besides(reading) {
  const truth = reading.history.length ? oddsWith(reading, reading.mover, chosen.row) : null;
  if (truth === null) return null;
  const bid = nameOf(reading.history[reading.history.length - 1]);
  const exactly = isSpotOnPlayed ? [", spot-on with ", element("strong", {}, share(minus(ONE, oddsWith(reading, reading.mover, chosen.row, SPOT_ON))))] : [];
  return element("p", {}, "To this player ", bid, " is true with ", element("strong", {}, share(truth)), exactly, ".");
}
