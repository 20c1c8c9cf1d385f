/*
 * The table in words, and what follows from its data. The words that the terminal says too come from sentences.json.
 */

import { coachPage } from "../explorer/data.js";
import { counted } from "../explorer/numerals.js";
import { table } from "./desk.js";

/**
 * Return a sentence in pieces: its texts, and between them its parts.
 * @param {string} name @param {Record<string, Content>} [parts] @returns {Content[]}
 */
export const pieces = (name, parts = {}) => coachPage.sentences[name].split(/\{(\w+)\}/).map((piece, at) => (at % 2 ? parts[piece] : piece));
/** @param {string} name @param {Record<string, string | number>} [parts] */
export const sentence = (name, parts = {}) => pieces(name, /** @type {Record<string, any>} */ (parts)).join("");

/** @param {string} bid @returns {[number, number]} */
export const numbers = (bid) => /** @type {[number, number]} */ (bid.split("x").map(Number));

/**
 * A share as a player says it: in whole percent.
 * @param {number | null} number
 */
export function roughly(number) {
  if (number === null) return "–";
  if (number > 0 && number < 0.005) return sentence("under_one");
  if (number < 1 && number >= 0.995) return sentence("over_99");
  return sentence("percent", { percent: Math.round(100 * number) });
}
/**
 * The cost of a move as a player says it.
 * @param {number} cost
 */
export const inHundred = (cost) => {
  const rounds = Math.round(100 * cost);
  return rounds ? sentence("in_hundred", { rounds: counted(rounds, "round") }) : sentence("under_one_in_hundred");
};
export const last = () => table().history[table().history.length - 1] || null;
/** @param {string} name */
export const seatOf = (name) => table().players.findIndex((one) => one.name === name);
/** @param {string} name */
const isMe = (name) => name === table().me;
/** @param {string} name */
export const Who = (name) => (isMe(name) ? "You" : name);
/**
 * The ending of a verb about a player.
 * @param {string} name
 */
export const verbEnd = (name) => (isMe(name) ? "" : "s");

/**
 * Return a sentence about a player.
 * @param {string} name the name of the sentence
 * @param {string} player
 */
export const about = (name, player) => sentence(name, { who: Who(player), s: verbEnd(player), were: isMe(player) ? "were" : "was" });

/**
 * What an action does, in words: a call, spot-on or a bid; `s` is the ending of the verb.
 * @param {string} action @param {string} [s]
 */
export const named = (action, s = "") => isBid(action) ? sentence("bid", { s, bid: action }) : sentence(action === "call" ? "call" : "spot_on", { s, bid: last() ?? "" });

/**
 * What a player does, in words.
 * @param {string} name @param {string} action
 */
export const does = (name, action) => `${Who(name)} ${named(action, verbEnd(name))}`;

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
  if (table().called) words.push(`${does(table().between[1], table().ended_by)}.`);
  else if (history.length) words.push(`${does(bidder(history.length - 1), history[history.length - 1])}.`);
  if (mine) words.push(mine.ev_loss ? `That cost ${inHundred(mine.ev_loss)}.` : mine.ev_loss === 0 ? "As good as any." : "Its value is unknown.");
  return words;
}

/**
 * Who lost the round, and the end of the match if it is over.
 * @param {string} loser
 */
export function outcome(loser) {
  const end = !table().over ? "" : held() ? ` ${sentence("match_won")}` : ` ${sentence("out")}`;
  return `${about("loses", loser)}.${end}`;
}

/** What is said of a round of other rules; nothing of others. */
export const special = () => (table().palifico ? sentence("palifico") : "");

function next() {
  const { gainer, loser, recommendation: found, turn } = table();
  if (gainer !== null) return `${about("right", gainer)}. ${sentence("none_lost")}`;
  if (isUndecided()) return sentence("was_exact");
  if (loser !== null) return outcome(loser);
  if (table().called || turn === null) return sentence("who_lost");
  if (found) return `Your turn. ${sentence("recommended", { what: named(found.action) })}`;
  if (table().my_dice === null && asksDice()) return table().history.length ? "Your turn." : [`Round ${table().round}.`, about("opens", table().opener), special()].filter(Boolean).join(" ");
  return table().bids.length ? `${Who(turn)} to bid.` : `${Who(turn)} can only call.`;
}
