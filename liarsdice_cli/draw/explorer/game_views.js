/*
 * What stands on the page of a place.
 */

import { colourOf, gamePage, nameOf, playerName } from "./data.js";
import { caption, element, fact, heading, note, player, playerClass, swatch } from "./elements.js";
import { isPositive, payoff, share } from "./numerals.js";
import { chosen } from "./page.js";
import { FIRST, linksFrom, linkTo, pathTo, placeAt, readingsAt, START, written } from "./places.js";
import { detail, tabs, viewOf } from "./tables.js";

/**
 * The steps so far, each a link back.
 * @param {number | null} place
 */
export function crumbs(place) {
  const start = element("a", { href: linkTo(START), "aria-current": place === FIRST ? "page" : null }, "Start");
  const steps = place === START ? [] : pathTo(place).filter((at) => at !== FIRST);
  const links = steps.map((at) => element("a", { href: linkTo(at), class: moverBefore(at), "aria-current": at === place ? "page" : null }, gamePage.places[at].name));
  return element("ol", {}, [start, ...links].map((link) => element("li", {}, link)));
}

/**
 * The class with the colour of the player who moved to a place; null if it may be one of several players.
 * @param {number} place
 */
function moverBefore(place) {
  const { before } = gamePage.places[place];
  const movers = before === null ? [] : [...new Set(gamePage.places[before].groups.map(({ mover }) => mover))];
  return movers.length === 1 ? playerClass(movers[0]) : null;
}

/** @param {Num[]} expected */
function expecting(expected) {
  return expected.map((value, who) => fact(payoff(value), "is the expected payoff of ", player(who)));
}

/** @param {number} place */
function summary(place) {
  const { reach, expected } = placeAt(place);
  return element("ul", { class: "facts" }, fact(share(reach), "of games get here"), expected && expecting(expected));
}

/**
 * One way on: a link, or a move that ends the game.
 * @param {GameStep<Num> | GameEnd<Num>} given
 */
function way(given) {
  const { label, share: chance } = given;
  const action = label ?? -1;
  const isEnd = "expected" in given;
  const to = isEnd ? null : given.to;
  return element(to === null ? "span" : "a", {
    href: to === null ? null : linkTo(to),
    class: `move${isPositive(chance) ? "" : " never"}`,
    style: { "--share": chance || 0, "--fill": colourOf(action)[0] },
    title: isEnd || to !== null ? null : "this page ends here",
  }, element("span", {}, label === null ? null : swatch(action), isEnd ? nameOf(given.label) : given.name),
  element("small", {}, chance === null ? "" : share(chance)),
  isEnd ? [element("small", {}, "ends"), payoffs(given)] : null);
}

/** @param {GameEnd<Num>} end */
const payoffs = ({ expected }) => expected?.map((value, who) => element("small", {}, player(who), ` ${payoff(value)}`));

/** @param {number | null} place */
function ways(place) {
  const ends = place === START ? [] : placeAt(place).ends;
  return element("nav", { class: "moves wide", "aria-label": "Moves" }, caption(`Next moves and their probabilities${ends.some(({ expected }) => expected) ? "; where the game ends, expected payoffs" : ""}`), [...linksFrom(place), ...ends].map(way));
}

/**
 * Why numbers are missing, or null.
 * @param {number} place
 */
function gap(place) {
  const { reach, groups } = placeAt(place);
  const forgets = groups.some(({ rows }) => rows.some(({ values, nodes }) => values === null && nodes.some(([, chance]) => chance !== null)));
  if (forgets) return "The mover has imperfect recall, so moves have no value for each information set.";
  if (reach) return null;
  const isOpen = groups.some(({ rows }) => rows.some(({ values }) => values === null));
  return `Play never reaches this state with this profile; these would be its actions.${isOpen ? " Values are unknown where the other players never allow it." : ""}`;
}

/**
 * How likely each node of an information set is.
 * @param {GameReading} reading @param {number} row
 */
function believed(reading, row) {
  const { nodes, more } = reading.sets[row];
  const isKnown = nodes.length === 1;
  return element("section", { class: `card beliefs plain ${playerClass(reading.mover)}` },
    element("h3", {}, "What ", player(reading.mover), " cannot see"),
    element("p", {}, isKnown ? "Nothing is hidden here: the information set is one node."
      : nodes[0][1] === null ? "The other players never let play reach this set, so the probabilities of its nodes are unknown." : "The probability of each node of the information set, by Bayes’ rule."),
    isKnown ? null : element("ul", {}, nodes.map(([words, chance]) => element("li", { class: isPositive(chance) ? null : "never" },
      element("span", { class: "words" }, words),
      element("span", { "aria-hidden": "true", class: "belief", style: { "--share": chance || 0 } }),
      element("span", { class: "number" }, share(chance))))),
    more ? element("p", {}, `and ${more.toLocaleString("en")} nodes that are less likely`) : null);
}

/** @param {number | null} place @param {GameReading[]} readings */
function headingOf(place, readings) {
  const movers = [...new Set(readings.map(({ mover }) => mover))];
  const names = movers.flatMap((who, at) => [at ? " or " : "", player(who)]);
  return heading(...names, " moves", place === FIRST ? " first" : ` after ${written(place)}`);
}

/**
 * The page of a place.
 * @param {number} place
 */
export function decision(place) {
  const readings = readingsAt(place);
  const rows = readings.flatMap((reading) => reading.rows);
  const row = chosen.row !== null && rows.includes(chosen.row) ? chosen.row : rows[0];
  chosen.row = row;
  const reading = readings.find((one) => one.rows.includes(row)) ?? readings[0];
  return [
    headingOf(place, readings),
    summary(place),
    note(gap(place)),
    ways(place),
    element("div", { class: "columns" },
      element("div", { class: "column" }, readings.map((one, at) => element("section", { class: "card main", "aria-label": `What ${playerName(one.mover)} does` },
        element("h3", {}, "What ", player(one.mover), " does"), at ? null : tabs(), viewOf(one)))),
      element("div", { class: "column" }, detail(reading), believed(reading, row))),
  ];
}

/** The page before all places, where everybody sees what chance does first. */
export function opening() {
  return [heading("Chance moves first, and everybody sees what it does"), ways(START)];
}
