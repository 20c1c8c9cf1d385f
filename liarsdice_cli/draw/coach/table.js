/*
 * The table as the server tells it: the seats, what is asked for, what to do, and what the others are likely to hold.
 */

import { button, byId, dice, die, element, hidden, playerClass } from "../explorer/elements.js";
import { share } from "../explorer/numerals.js";
import { bidRows } from "./bidding.js";
import { desk, leave, say, screenParts, table, tell } from "./desk.js";
import { diceOf, faceButtons, line, mainButton } from "./parts.js";
import {
  about, asksDice, bidder, does, held, inHundred, isBid, isSettled, isUndecided, last, named, outcome, pieces, roughly, seatOf, sentence, special, verbEnd, Who,
} from "./words.js";

export function atTable() {
  const advice = table().recommendation;
  return [seats(), element("div", { class: "columns" },
    element("div", { class: "column" }, move(), recommended(), asked()),
    element("div", { class: "column" }, advice ? beliefs(advice) : null))];
}

function seats() {
  const seat = (/** @type {{ name: string, dice: number }} */ one, /** @type {number} */ place) => element("li", {
    class: `seat ${playerClass(place)}${one.dice ? "" : " never"}`, "aria-current": one.name === table().turn ? "true" : null,
  }, element("b", {}, one.name), element("span", {}, diceOf(one.dice)));
  const { my_dice: own, ended_by: end, history } = table();
  const turn = (/** @type {string} */ made, /** @type {number} */ place) => {
    const name = place < history.length ? bidder(place) : table().between[1];
    const player = playerClass(seatOf(name));
    return element("li", { class: player }, element("b", { class: player }, name), " ", made);
  };
  const ends = !table().called ? [] : [end === "call" ? `call${verbEnd(table().between[1])}` : end];
  return element("section", { "aria-label": `Round ${table().round}` },
    special() ? element("p", { class: "special" }, special()) : null,
    element("ul", { class: "seats", "aria-label": "Seats" }, table().players.map(seat)),
    element("ol", { class: "made", "aria-label": "Bids so far" }, [...history, ...ends].map(turn)),
    own ? element("p", { class: "own" }, "Your dice ", hidden(own.join(" ")), dice(own, seatOf(table().me)),
      !isSettled() && !table().called ? button({ "data-key": "mend", onclick: mend }, "Change") : null) : null);
}

function mend() {
  desk.isMending = true;
  desk.rolled = [];
  screenParts.draw();
  byId("heading").focus();
}

/** The card with what is asked for now. */
function asked() {
  if (desk.isMending || asksDice()) return rolling();
  const { gainer, loser, turn } = table();
  if (loser !== null && table().over) return card(sentence("match_over"), element("p", {}, outcome(loser)), line(mainButton("leave-here", "New table", leave)));
  const nextRound = line(mainButton("next", "Next round", () => say({ new: null })));
  if (gainer !== null) return card(about("right", gainer), nextRound);
  if (loser !== null) return card(about("loses", loser), nextRound);
  if (isUndecided()) return card(sentence("was_exact"), line(mainButton("exact", `Yes: ${about("wins_back", table().between[1])}`, () => say({ lost: table().between[0] })),
    mainButton("inexact", `No: ${about("loses", table().between[1])}`, () => say({ lost: table().between[1] }))));
  if (table().called || turn === null) return card(sentence("who_lost"), line(table().between.map((name) => mainButton(`lost-${name}`, Who(name), () => say({ lost: name })))));
  return turnOf(turn);
}

/** @param {string} heading @param {...Content} content */
function card(heading, ...content) {
  return element("section", { class: "card asked", "aria-labelledby": "heading" }, element("h2", { id: "heading", tabindex: "-1" }, heading), content);
}

function rolling() {
  const full = desk.rolled.length === held();
  const left = held() - desk.rolled.length;
  return card(sentence("which_dice"),
    faceButtons("Faces", table().rules.sides, roll, null, () => !full),
    element("div", { class: "faces rolled", role: "group", "aria-label": "Your dice: tap one to take it back" }, desk.rolled.map((face, at) =>
      button({ "data-key": `rolled${at}`, "aria-label": `take back the ${face}`, onclick: () => takeBack(at) }, die(face)))),
    line(mainButton("rolled", full ? "These are my dice" : `${left} more`, sayDice, { disabled: !full }),
      table().my_dice ? mainButton("keep", "As they were", () => { desk.isMending = false; screenParts.draw(); }) : null));
}

/** @param {number} face */
export function roll(face) {
  if (desk.rolled.length === held() || face > table().rules.sides) return;
  desk.rolled.push(face);
  const left = held() - desk.rolled.length;
  tell(left ? `${face}; ${left} more.` : `${face}; that is all.`);
  screenParts.draw("rolled");
}

/** @param {number} at */
export function takeBack(at) {
  const [face] = desk.rolled.splice(at, 1);
  tell(`Without the ${face}: ${held() - desk.rolled.length} more.`);
  screenParts.draw();
}

export function sayDice() {
  if (desk.rolled.length === held()) say({ dice: desk.rolled });
}

/**
 * The card for a move of the player whose turn it is.
 * @param {string} name
 */
function turnOf(name) {
  return card(name === table().me ? "Your turn" : `${name}’s turn`, bidRows(),
    last() ? line(["call", ...(table().spot_on ? ["spot-on"] : [])].map((how) => mainButton(how, does(name, how), () => sayEnd(how)))) : null, claims(name));
}

/**
 * Players who may say spot-on out of turn.
 * @param {string} turn
 */
function claims(turn) {
  const { history, players, spot_on: isPlayed, spot_on_by: by } = table();
  if (!last() || !isPlayed || by !== "any") return null;
  const others = players.filter(({ name, dice: left }) => left && name !== turn && name !== bidder(history.length - 1));
  return others.length ? line(others.map(({ name }) => button({ "data-key": `claim-${name}`, onclick: () => say({ claim: name }) }, does(name, "spot-on")))) : null;
}

/** @param {string} how */
export function sayEnd(how) {
  if (last() && (how === "call" || table().spot_on)) say({ hear: how });
}

/** The cost of your last move. */
function move() {
  const made = table().move;
  if (!made) return null;
  const { action, ev_loss: cost, best, value } = made;
  const words = cost === null ? sentence("unknown", { action })
    : cost === 0 ? sentence("best", { action })
      : sentence("mistake", { action, best, share: roughly(value), best_share: roughly(value + cost), cost: inHundred(cost) });
  return element("p", { class: `note${cost ? "" : " fine"}`, id: "cost" }, words);
}

function recommended() {
  const found = table().recommendation;
  if (!found) return null;
  const best = Math.max(...found.actions.map((one) => one.value));
  const sensible = found.actions.filter((one) => !isBid(one.action) || one.value >= best - 0.25).sort((one, other) => other.value - one.value);
  const listed = sensible.filter((one, at) => at < 7 || !isBid(one.action));
  const advised = found.actions.find((one) => one.action === found.action);
  return element("section", { class: "card", "aria-labelledby": "advised" },
    element("h2", { id: "advised" }, named(found.action)[0].toUpperCase() + named(found.action).slice(1), hidden(" is recommended")),
    element("p", {}, pieces("keeps_in", { share: element("strong", {}, roughly(advised?.value ?? null)) })),
    element("p", { class: "why" }, `${found.reason}.`),
    found.last_bid ? likely(found.last_bid) : null,
    element("h3", {}, "How often each keeps you in"),
    element("div", { class: "moves", role: "group", "aria-label": "How often each keeps you in; tap what you do" }, listed.map((one) =>
      button({
        class: `move${one.action === found.action ? " guessed" : ""}`, "data-key": `move-${one.action}`,
        style: { "--share": String(one.value), "--fill": "var(--worth)" }, onclick: () => say({ hear: one.action }),
      }, element("span", {}, one.action), element("small", {}, share(one.value))))));
}

/**
 * How likely the last bid is true, and spot-on if that is played.
 * @param {NonNullable<Advice["last_bid"]>} bid
 */
function likely({ bid, true: chance, fair, spot_on: exactly }) {
  return element("p", { class: "why" }, pieces("likely_true", { bid, share: element("strong", {}, roughly(chance)), fair: roughly(fair) }),
    exactly === null ? "" : sentence("likely_spot_on", { share: roughly(exactly) }), ".");
}

/**
 * The other players' likely dice: for every face, the average number that counts, with a mark for fair dice.
 * @param {Advice} advice
 */
function beliefs(advice) {
  return element("section", { class: "card beliefs", "aria-labelledby": "holds" },
    element("h2", { id: "holds" }, "Likely to hold"),
    element("p", {}, "The average number of dice that count for each face; the mark is the average of fair dice."),
    advice.hands.map((hand) => element("div", { class: playerClass(seatOf(hand.name)) },
      element("h3", {}, hand.name),
      element("ul", {}, hand.faces.map((one) => {
        const number = `${one.expected.toFixed(1)} of ${hand.dice}`;
        return element("li", {}, element("span", { class: "dice" }, die(one.face), hidden(`${one.face}: `)),
          element("span", { class: "belief", style: { "--share": String(one.expected / hand.dice), "--dealt": String(one.fair / hand.dice) }, "aria-hidden": "true" }),
          element("span", { class: "number" }, number, hidden(`, fair dice ${one.fair.toFixed(1)}`)));
      })))));
}
