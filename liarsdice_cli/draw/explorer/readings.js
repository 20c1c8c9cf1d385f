/*
 * What holds after a betting history.
 *
 * A reading is { history, mover, actions, probabilities, values, reaches, mistaken }:
 *   history        the numbers of the bids, rising
 *   mover          who decides, from 0
 *   actions        those that end the bidding (not in the opening), then the numbers of the bids that may follow
 *   probabilities  of every action (first index) with every roll of the mover (second)
 *   values         likewise, what the action is worth to the mover; null where nobody can know
 *   reaches        for every player, the chance of each roll times that of the player's own bids with it; after a mistake,
 *                  if the strategy has them, the relative probabilities of the rolls, in any unit
 *   mistaken       the players who come here only by mistake, if the strategy has probabilities of mistakes
 * It comes out of the page itself or, in a page that is served, from the server.
 */

import { dicePage, ONE, page } from "./data.js";
import { numberOf, over, plus, sum, times } from "./exact.js";
import { counted } from "./numerals.js";

export const [CALL, SPOT_ON] = [-1, -2];
/** @param {number} action */
export const isEnding = (action) => action <= CALL;
export const endings = Array.from({ length: -page.actions.first }, (_, at) => CALL - at);
export const bidNames = page.actions.names.slice(endings.length);

export const players = page.players.map((_, player) => player);
/** @param {number[]} history */
export const moverAfter = (history) => history.length % players.length;
/** @param {number[]} history */
export const bidderBefore = (history) => moverAfter(history.slice(0, -1));
/** @param {number} player */
export const othersThan = (player) => players.slice(1).map((turn) => (player + turn) % players.length);
/**
 * What they do who end the bidding, what one does, and what one says of the bid.
 * @param {number} ending
 */
export const wordOf = (ending) => (ending === CALL ? "call" : "say spot-on");
/** @param {number} ending */
export const verbOf = (ending) => (ending === CALL ? "calls" : "says spot-on");
/** @param {number} ending @param {string} bid @param {boolean} [isMine] */
export const claiming = (ending, bid, isMine = false) => (ending === CALL ? `call${isMine ? "" : "s"} ${bid}` : `say${isMine ? "" : "s"} that ${bid} is spot-on`);

/** @param {number[]} history */
export function actionsAfter(history) {
  const last = history.at(-1);
  if (last === undefined) return dicePage.openings;
  return [...endings, ...Array.from({ length: dicePage.stops[last] - last - 1 }, (_, at) => last + 1 + at)];
}

/** Why a history has no page. */
export const pageEnd = `This page ends after ${counted(dicePage.depth, "bid")}`;

/** The probability of each roll of each player when the dice are dealt. */
export const dealt = dicePage.chances.map((chances) => chances.map(numberOf));

/**
 * A probability, with 0 for that of a mistake, which is too small to show; in fractions it is already 0.
 * @param {Num} chance
 */
export const onPurpose = (chance) => (!page.fractions && Number(chance) < dicePage.mistake ? 0 : chance);

/**
 * The players who come to a history only by mistake, judged by floats.
 * @param {Num[][]} reaches
 */
export const mistakenBy = (reaches) => players.filter((player) => Number(sum(reaches[player])) < dicePage.mistake && Number(sum(reaches[player])) > 0);

/**
 * The probability of every roll of a player once the history is known; null where it cannot have come about.
 * @param {Reading} reading @param {number} player
 */
export function beliefs(reading, player) {
  const total = sum(reading.reaches[player]);
  return Number(total) > 0 ? reading.reaches[player].map((reach) => over(reach, total)) : null;
}

/** @param {Reading} reading */
export const reachOf = (reading) => (page.fractions && reading.mistaken.length ? 0 : reading.reaches.map((reach) => sum(reach)).reduce((one, other) => times(one, other)));
/**
 * How likely every action is, over the rolls that the mover may hold; null where they can hold none.
 * @param {Reading} reading
 */
export function likelihoods(reading) {
  const held = beliefs(reading, reading.mover);
  return held && reading.actions.map((_, at) => sum(held.map((chance, roll) => times(chance, reading.probabilities[at][roll]))));
}

/**
 * The chances of how many dice of these players match a bid, from none up; null where one of them can hold no roll.
 * @param {Reading} reading @param {number[]} who @param {number} bid
 */
export function matches(reading, who, bid) {
  const held = who.map((player) => beliefs(reading, player));
  if (!held.every((chances) => chances !== null)) return null;
  return who.reduce((before, player, at) => {
    const most = Math.max(...dicePage.matching[player].map((matching) => matching[bid]));
    /** @type {Num[]} */
    const after = Array(before.length + most).fill(0);
    held[at].forEach((chance, roll) => {
      before.forEach((one, count) => {
        const sumOf = count + dicePage.matching[player][roll][bid];
        after[sumOf] = plus(after[sumOf], times(one, chance));
      });
    });
    return after;
  }, /** @type {Num[]} */ ([ONE]));
}

/**
 * Return whether a bid stands against an action that ends the round, given the number of dice that count for it.
 * @param {number} bid @param {number} count @param {number} ending
 */
export const stands = (bid, count, ending) => dicePage.stands[CALL - ending][bid][count] === "1";

/**
 * The probability that the last bid stands, where so many dice match it and those of these players are to be added.
 * @param {Reading} reading @param {number} known @param {number[]} who @param {number} ending
 */
function oddsFrom(reading, known, who, ending) {
  const bid = reading.history[reading.history.length - 1];
  const chances = matches(reading, who, bid);
  return chances && sum(chances.filter((_, count) => stands(bid, known + count, ending)));
}

/**
 * The probability that the last bid stands when a player holds a roll; null where one of the others cannot hold any.
 * @param {Reading} reading @param {number} player @param {number} roll @param {number} [ending]
 */
export function oddsWith(reading, player, roll, ending = CALL) {
  return oddsFrom(reading, dicePage.matching[player][roll][reading.history[reading.history.length - 1]], othersThan(player), ending);
}

/**
 * The same for somebody who sees no dice.
 * @param {Reading} reading @param {number} [ending]
 */
export const odds = (reading, ending = CALL) => oddsFrom(reading, 0, players, ending);

export const isSpotOnPlayed = endings.includes(SPOT_ON);

/**
 * What is known once the mover has ended the bidding: their roll is one with which they do so.
 * @param {Reading} reading @param {number} ending
 */
export function ended(reading, ending) {
  const chances = reading.probabilities[reading.actions.indexOf(ending)];
  const reaches = reading.reaches.map((reach, player) =>
    player === reading.mover ? reach.map((one, roll) => times(one, chances[roll])) : reach,
  );
  return { ...reading, reaches };
}
