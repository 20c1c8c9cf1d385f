/*
 * What stands on the page after a history.
 */

import { colourOf, dicePage, nameOf, ONE, playerName, whole } from "./data.js";
import { caption, coloured, dice, element, fact, heading, hidden, note, player, playerClass, rollName } from "./elements.js";
import { highest, isMore, minus, over, sum, times } from "./exact.js";
import { comparing } from "./keeping.js";
import { linkTo, written } from "./links.js";
import { isPositive, share, worth } from "./numerals.js";
import { chosen } from "./page.js";
import {
  beliefs, bidderBefore, CALL, claiming, dealt, ended, isEnding, isSpotOnPlayed, likelihoods, moverAfter, odds, othersThan,
  pageEnd, players, reachOf, SPOT_ON,
} from "./readings.js";
import { rollTools } from "./rolls.js";
import { tableAfter } from "./seats.js";
import { overall } from "./summary.js";
import { detail, tabs, viewOf } from "./tables.js";
import { diceUnit } from "./unit.js";
import { worthOf } from "./worth.js";

/**
 * The bids so far, each a link back to it.
 * @param {number[]} history @param {number | null} ending
 */
export function crumbs(history, ending) {
  const steps = [element("a", { href: linkTo([]), "aria-current": history.length ? null : "page" }, "Opening")];
  history.forEach((bid, at) => {
    const last = at === history.length - 1 && ending === null;
    const who = moverAfter(history.slice(0, at));
    steps.push(
      element("a", {
        href: linkTo(history.slice(0, at + 1)),
        class: playerClass(who),
        "aria-label": `${playerName(who)} bids ${nameOf(bid)}`,
        "aria-current": last ? "page" : null,
      }, coloured(bid)),
    );
  });
  if (ending !== null) {
    const who = moverAfter(history);
    steps.push(element("a", { href: linkTo(history, [nameOf(ending)]), class: playerClass(who), "aria-current": "page" }, coloured(ending)));
  }
  return element("ol", {}, steps.map((step) => element("li", {}, step)));
}

/** @param {Reading} reading */
export function summary(reading) {
  const { history, mover } = reading;
  const reach = reachOf(reading);
  const held = beliefs(reading, mover);
  const facts = [fact(share(reach), "of games get here")];
  const values = held?.map((_, roll) => worthOf(reading, roll));
  if (held && values?.every((value) => value !== null)) {
    const expected = sum(held.map((chance, roll) => times(chance, values[roll])));
    facts.push(fact(worth(expected), ...diceUnit.fact(player(mover), expected)));
  }
  if (history.length) {
    const [truth, inexactly] = [odds(reading), isSpotOnPlayed ? odds(reading, SPOT_ON) : null];
    if (truth !== null) facts.push(fact(share(truth), `is the chance that ${nameOf(history[history.length - 1])} is true`));
    if (inexactly !== null) facts.push(fact(share(minus(ONE, inexactly)), "is the chance that it is spot-on"));
  }
  return element("ul", { class: "facts" }, facts);
}

/**
 * Why numbers are missing, or null.
 * @param {Reading} reading
 */
export function gap(reading) {
  const { mover, values } = reading;
  const never = othersThan(mover).find((player) => !sum(reading.reaches[player]));
  if (never !== undefined) {
    const other = playerName(never);
    return `${other} never bids like this, with any roll, so ${other}’s dice and the values of moves are unknown. A quasi-perfect equilibrium has them: liarsdice solve --refine quasi-perfect.`;
  }
  const erring = reading.mistaken;
  if (erring.length && values) {
    return `${erring.map(playerName).join(" and ")} never ${erring.length > 1 ? "bid" : "bids"} like this on purpose. Beliefs and values assume the likeliest mistakes.`;
  }
  if (!values) return "Too many bids can follow to compute values here; they are shown a few bids later.";
  if (!sum(reading.reaches[mover])) {
    return `${playerName(mover)} never bids like this, with any roll; these would be ${playerName(mover)}’s moves.`;
  }
  return null;
}

/**
 * The moves, each a link to the history after it. `linked` returns the address of a history; by default, that of its own page.
 * @param {Reading} reading @param {(history: number[]) => string} [linked] @param {string} [name] the name of the list
 */
export function moves(reading, linked = linkTo, name = "Moves") {
  const likely = likelihoods(reading);
  const links = reading.actions.map((action, at) => {
    const cut = !isEnding(action) && reading.history.length >= dicePage.depth;
    const href = isEnding(action) ? linkTo(reading.history, [nameOf(action)]) : linked([...reading.history, action]);
    const chance = likely ? likely[at] : null;
    return element(cut ? "span" : "a", {
      href: cut ? null : href,
      class: `move${isPositive(chance) ? "" : " never"}`,
      style: { "--share": chance || 0, "--fill": colourOf(action)[0] },
      title: cut ? "this page ends here" : null,
    }, element("span", {}, coloured(action)), " ", element("small", {}, chance === null ? "" : share(chance)));
  });
  const ends = reading.history.length >= dicePage.depth && links.some((link) => link.tagName === "SPAN");
  return element("nav", { class: "moves", "aria-label": name }, caption("Next moves and their probabilities"), links,
    ends ? element("p", { class: "ends" }, `${pageEnd}; `, element("code", {}, "liarsdice explore --serve"), " goes on.") : null);
}

/**
 * The greatest chance that a bar has room for, the same after every history: of six dice faces, all there is.
 * @param {number} who
 */
function scaleOf(who) {
  const wide = times(whole(6), highest(dealt[who]));
  return isMore(wide, ONE) ? ONE : wide;
}

/**
 * The rolls of a player once the history is known, beside what they were when dealt.
 * @param {Reading} reading @param {number} who
 */
function holdings(reading, who) {
  const held = beliefs(reading, who);
  const widest = scaleOf(who);
  const rows = dicePage.rolls[who].map((faces, roll) => {
    const chance = held ? held[roll] : null;
    return element("li", { class: isPositive(chance) ? null : "never" },
      dice(faces, who), hidden(`roll ${rollName(faces)}: `),
      element("span", { "aria-hidden": "true", class: `belief${Number(chance) > Number(widest) ? " beyond" : ""}`, style: { "--share": Math.min(1, Number(chance || 0) / Number(widest)), "--dealt": Number(dealt[who][roll]) / Number(widest) } }),
      element("span", { class: "number" }, share(chance)));
  });
  return element("section", { class: `card beliefs ${playerClass(who)}` },
    element("h3", { id: `holds-${who}`, tabindex: "-1" }, "What ", player(who), " holds"),
    element("p", {}, held ? "By Bayes’ rule, from the moves so far; the mark is the chance when dealt." : "These moves are never made, so nothing is known."),
    element("ul", {}, rows),
    element("p", { class: "scale", "aria-hidden": "true" }, element("span", {}, "0"), element("span", {}, share(over(widest, whole(2)))), element("span", {}, share(widest))));
}

/**
 * The holdings of one or more players, as part of the columns.
 * @param {Reading} reading @param {number[]} who
 */
function holdingsOf(reading, who) {
  const cards = who.map((player) => holdings(reading, player));
  return cards.length > 1 ? element("div", { class: "several" }, cards) : cards;
}

/**
 * The roll that the mover most likely holds; the first one if none is possible.
 * @param {Reading} reading
 */
export function likeliestRoll(reading) {
  const held = beliefs(reading, reading.mover);
  return held ? held.indexOf(highest(held)) : 0;
}

/**
 * The page at a decision.
 * @param {Reading} reading
 */
export function decision(reading) {
  const { history, mover } = reading;
  if (chosen.row === null || chosen.row >= dicePage.rolls[mover].length) chosen.row = likeliestRoll(reading);
  return [
    element("div", { class: "top" }, heading(player(mover), history.length ? ` moves after ${written(history)}` : " opens"), comparing(reading)),
    summary(reading),
    note(gap(reading)),
    moves(reading),
    columns(element("section", { class: "card main", "aria-labelledby": "rolls-title" },
      element("h3", { id: "rolls-title", tabindex: "-1" }, "What ", player(mover), " does with each roll"), tabs(), rollTools(reading), viewOf(reading)), reading),
  ];
}

/**
 * The rolls on the left; on the right what goes with them, and what a few rolls leave room for below them.
 * @param {HTMLElement} rolls @param {Reading} reading
 */
function columns(rolls, reading) {
  const all = overall(reading);
  const isTall = dicePage.rolls[reading.mover].length > 10;
  return element("div", { class: "columns" },
    element("div", { class: "column" }, rolls, isTall ? null : all),
    element("div", { class: "column" }, players.length > 2 ? tableAfter(reading, null) : null, detail(reading), isTall ? all : null, holdingsOf(reading, othersThan(reading.mover))));
}

/**
 * Whose fate is decided at the end, if the bid stands with this probability: of two players who wins, of more who loses.
 * @param {string} bid @param {number} ending @param {Num} standing @param {number} bidder @param {number} caller
 */
function fates(bid, ending, standing, bidder, caller) {
  const [word, ifStanding, ifNot] = players.length === 2 ? ["wins", bidder, caller] : ["loses", caller, bidder];
  /** @type {[Num, number][]} */
  const cases = [[standing, ifStanding], [minus(ONE, standing), ifNot]];
  const [[chance, one], [rest, other]] = ending === CALL ? cases : cases.reverse();
  return [
    fact(share(chance), `is the chance that ${bid} is ${ending === CALL ? "true" : nameOf(ending)} and `, player(one), ` ${word}`),
    fact(share(rest), "is the chance that ", player(other), ` ${word}`),
  ];
}

/**
 * The page after the bidding has been ended: who wins or loses, and what everybody may hold.
 * @param {Reading} reading @param {number} ending
 */
export function showdown(reading, ending) {
  const { history, mover } = reading;
  const after = ended(reading, ending);
  const bid = nameOf(history[history.length - 1]);
  const standing = odds(after, ending);
  const facts = [fact(share(reachOf(after)), "of games end like this")];
  if (standing !== null) facts.push(...fates(bid, ending, standing, bidderBefore(history), mover));
  return [
    heading(player(mover), ` ${claiming(ending, bid)}`),
    element("ul", { class: "facts" }, facts),
    standing === null ? note(`The strategy never reaches this ${nameOf(ending)}.`) : null,
    players.length > 2 ? tableAfter(after, ending) : null,
    element("div", { class: players.length > 2 ? "several" : "columns even" }, [mover, ...othersThan(mover)].map((who) => holdings(after, who))),
  ];
}
