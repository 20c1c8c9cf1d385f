/*
 * Readings of any game, out of the page: what holds at a public place.
 *
 * A reading is { place, mover, actions, rows, probabilities, values, names }: the information sets of a place at which one
 * player has the same actions. Rows are numbered through over all readings of a place:
 *   actions        numbers in page.labels
 *   rows           those of this reading
 *   probabilities  of every action (first index) in every row (second); values likewise, null where nobody can know
 * A place may have more than one reading, and where chance shows something first there is a start before all places.
 */

const playerName = (player) => page.players[player];
const nameOf = (action) => page.labels[action];
const colourOf = (action) => page.colours[action + 1];
const written = (place) => namesTo(place).join(", ");
const START = null;

const isChance = false;

/** Payoffs are shown as they are. */
const UNIT = {
  column: "value",
  values: (who) => `What a move gains ${who} on average`,
  costs: "How much less a move gains on average than the best one in the same information set",
};

/** A place with its numbers. The page keeps exact numbers as text until the place is first used. */
function placeAt(number) {
  const place = page.places[number];
  if (place.isRead) return place;
  for (const row of place.groups.flatMap(({ rows }) => rows)) {
    row.reach = numberOf(row.reach);
    row.probabilities = row.probabilities.map(numberOf);
    row.values = row.values && row.values.map(numberOf);
    row.nodes = row.nodes.map(([words, chance]) => [words, numberOf(chance)]);
  }
  place.next = place.next.map(withNumbers);
  place.ends = place.ends.map(withNumbers);
  return Object.assign(place, withNumbers(place), { reach: numberOf(place.reach), isRead: true });
}

/** A place, or a move from a place, with its numbers. */
const withNumbers = (one) => ({ ...one, share: numberOf(one.share), expected: one.expected && one.expected.map(numberOf) });

/** The readings of a place, one for each player and list of actions. */
function readingsAt(place) {
  let before = 0;
  return placeAt(place).groups.map(({ mover, actions, rows: sets }) => {
    const rows = sets.map((_, at) => before + at);
    before += sets.length;
    const placed = (numbers) => actions.map((_, at) => Object.assign([], Object.fromEntries(rows.map((row, number) => [row, numbers(sets[number], at)]))));
    return {
      place, mover, actions, rows,
      sets: Object.fromEntries(rows.map((row, number) => [row, sets[number]])),
      probabilities: placed((set, at) => onPurpose(set.probabilities[at])),
      values: placed((set, at) => (set.values === null ? null : set.values[at])),
    };
  });
}

/** A probability that is only that of a mistake, too small to be shown, as 0. */
const onPurpose = (chance) => (!page.fractions && chance < 1e-9 ? 0 : chance);

/** The links that lead on from a place, or from the start. */
const linksFrom = (place) => (place === START ? page.first : placeAt(place).next);

page.first = page.first.map(withNumbers);

/** The first place, or the start where chance has shown something before. */
const FIRST = page.first.length === 1 ? page.first[0].to : START;

/** The places from the first one to this one. */
function pathTo(place) {
  const path = [];
  for (let at = place; at !== null; at = page.places[at].before) path.unshift(at);
  return path;
}

/** The names on the way to a place, without that of the only first one. */
const namesTo = (place) => pathTo(place).filter((at) => at !== FIRST).map((at) => page.places[at].name);

const linkTo = (place) => "#" + (place === START ? [] : namesTo(place)).map(encodeURIComponent).join(",");

/* What a row is here, for the tables. */

const ROW = { one: "information set", many: "information sets", title: "Information set", with: "At", held: "comes", done: "what is done there", none: "" };
/** The largest probability in any equilibrium of each move that costs nothing and is never made here, by the name of the move. */
const alternativesOf = (reading, row) => reading.sets[row].alternatives;

const rowName = (reading, row) => reading.sets[row].name;
const rowMark = (reading, row) => element("span", { class: `named player${(reading.mover % 6) + 1}` }, rowName(reading, row));
const rowWidth = () => "var(--named)";
const listed = (reading) => [{ order: 0, title: "", rows: reading.rows }];

/** How likely each information set is once play is at the place. */
function heldOf(reading) {
  const total = placeAt(reading.place).reach;
  return total > 0 ? Object.assign([], Object.fromEntries(reading.rows.map((row) => [row, over(reading.sets[row].reach, total)]))) : null;
}

const besides = () => null;
