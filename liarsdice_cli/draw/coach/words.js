/*
 * The table in words, and what follows from its data.
 */

import { table } from "./desk.js";

/** @param {string} bid @returns {[number, number]} */
export const numbers = (bid) => /** @type {[number, number]} */ (bid.split("x").map(Number));

/**
 * A share as a player says it: in whole percent.
 * @param {number | null} number
 */
export function roughly(number) {
  if (number === null) return "–";
  if (number > 0 && number < 0.005) return "under 1 %";
  if (number < 1 && number >= 0.995) return "over 99 %";
  return `${Math.round(100 * number)} %`;
}
/**
 * The cost of a move as a player says it.
 * @param {number} cost
 */
export function inHundred(cost) {
  const rounds = Math.round(100 * cost);
  return `${rounds} ${rounds === 1 ? "round" : "rounds"} in a hundred`;
}
export const last = () => table().history[table().history.length - 1] || null;
/** @param {string} name */
export const seatOf = (name) => table().players.findIndex((one) => one.name === name);
/** @param {string} name */
export const Who = (name) => (name === table().me ? "You" : name);
/** @param {string} name @param {string} word */
export const verb = (name, word) => (name === table().me ? word : `${word}s`);
/** Who plays the round, from the one who opened. */
function playing() {
  const names = table().players.map((one) => one.name);
  const first = seatOf(table().opener);
  return [...names.slice(first), ...names.slice(0, first)].filter((name) => table().players[seatOf(name)].dice || name === table().loser);
}

/**
 * Who made a bid of this round, by its place.
 * @param {number} place
 */
export const bidder = (place) => playing()[place % playing().length];
/** Whether it is known who lost the round, or that nobody did. */
export const isSettled = () => table().loser !== null || table().gainer !== null;
/** Whether it is asked if a claim of spot-on was right, which wins back a die. */
export const isUndecided = () => table().spot_on_gains && table().ended_by === "spot-on" && !isSettled();
const calling = () => ended(table().between[1], table().ended_by);

/**
 * What somebody does who ends the round, in words.
 * @param {string} name @param {string} how
 */
export const ended = (name, how) => how === "call" ? `${Who(name)} ${verb(name, "call")} ${last()}` : `${Who(name)} ${verb(name, "say")} that ${last()} is spot-on`;

/**
 * What is recommended, or may be done, in words.
 * @param {string} action
 */
export const named = (action) => action === "call" ? `call ${last()}` : action === "spot-on" ? `say that ${last()} is spot-on` : `bid ${action}`;
/** @param {string} action */
export const isBid = (action) => action !== "call" && action !== "spot-on";
export const held = () => table().players[seatOf(table().me)].dice;
export const asksDice = () => table().turn !== null && table().my_dice === null && (table().turn === table().me || !table().history.length);


/**
 * What has happened, and what comes next.
 * @param {CoachRequest} what
 */
export function inWords(what) {
  return [what.undo ? "Taken back." : "", ...happened(what), next()].filter(Boolean).join(" ");
}

/**
 * What was said just now, or, where something was taken back, what was said before.
 * @param {CoachRequest} what
 */
function happened(what) {
  const words = [];
  const { my_dice: dice, move: mine, history } = table();
  if (what.dice && dice) words.push(`Your dice: ${dice.join(" ")}.`);
  if (!what.hear && !what.claim && !what.undo) return words;
  if (table().called) words.push(`${calling()}.`);
  else if (last()) words.push(`${Who(bidder(history.length - 1))} ${verb(bidder(history.length - 1), "bid")} ${last()}.`);
  if (mine) words.push(mine.ev_loss ? `That cost ${inHundred(mine.ev_loss)}.` : mine.ev_loss === 0 ? "As good as any." : "Its value is unknown.");
  return words;
}

/** What is said of a round of other rules; nothing of others. */
export const special = () => (table().palifico ? "Palifico: no wild face, and a fixed face." : "");

function next() {
  const { loser, recommendation: found, turn } = table();
  const { gainer } = table();
  if (gainer !== null) return `${Who(gainer)} ${gainer === table().me ? "were" : "was"} right. Nobody loses a die.`;
  if (isUndecided()) return "Was the bid exact?";
  if (loser !== null) return table().over ? `${Who(loser)} lost the last die. The match is over.` : `${Who(loser)} lost round ${table().round}.`;
  if (table().called || turn === null) return "Who lost?";
  if (found) return `Your turn. Recommended: ${named(found.action)}.`;
  if (table().my_dice === null && asksDice()) return table().history.length ? "Your turn." : [`Round ${table().round}.`, special(), `${Who(table().opener)} ${verb(table().opener, "open")}.`].filter(Boolean).join(" ");
  return table().bids.length ? `${Who(turn)} to bid.` : `${Who(turn)} can only call.`;
}
