/*
 * Play: rounds against the strategy, from a seat that the reader chooses. The other seats draw their moves from its
 * probabilities; what the reader's moves cost against the best one is what the page says of them anywhere.
 *
 * A round is { seat, rolls, moves, reading, isRolled, isGoingOn, trouble }:
 *   seat     that of the reader
 *   rolls    a roll for every player
 *   moves    those so far: { who, history before it, action, cost and best of the reader's }
 *   reading  of the bids so far, once it is there
 */

import { drawn } from "./chance.js";
import { dicePage, LEAST, MOST } from "./data.js";
import { minus, plus, sum, times } from "./exact.js";
import { isNothing } from "./numerals.js";
import { dealt, isEnding, players, stands } from "./readings.js";
import { source } from "./sources.js";
import { worthOf } from "./worth.js";

/** What was chosen and played; `seat` is a player, or null for one after the other.
 * @type {{ seat: number | null, round: Round | null, finished: Round[] }}
 */
export const play = { seat: null, round: null, finished: [] };

export const isPlay = () => location.hash === "#play";
/** @param {Round} round */
export const isAtTable = (round) => isPlay() && play.round === round;
/** @param {Round} round */
export const bidsOf = (round) => round.moves.map(({ action }) => action).filter((action) => !isEnding(action));

/**
 * Return how a round that came to a showdown ended: its last bid, the action that ended it and the player of that action, the
 * number of dice that count, whether the bid stands, and the loser. Before the showdown it is null.
 * @param {Round} round
 */
export function showdownOf(round) {
  const [last, end] = round.moves.slice(-2);
  if (!end || !isEnding(end.action)) return null;
  const count = sum(players.map((who) => dicePage.matching[who][round.rolls[who]][last.action]));
  const isStanding = stands(last.action, count, end.action);
  return { bid: last.action, ending: end.action, ender: end.who, count, isStanding, loser: (isStanding ? end : last).who };
}

/** @param {Round} round */
export const isShown = (round) => showdownOf(round) !== null;

/**
 * Whether the page knows no more of the bids: one of a large game ends before the betting does.
 * @param {Round} round
 */
export const isCut = (round) => !isShown(round) && bidsOf(round).length > dicePage.depth;
/** @param {Round} round */
export const hasEnded = (round) => isShown(round) || isCut(round);

/**
 * Return the reading of the bids so far if it is the reader's turn, otherwise null.
 * @param {Round} round
 */
export const readersTurn = (round) => (!hasEnded(round) && round.reading?.mover === round.seat ? round.reading : null);
/** @param {Round} round */
export const isReaders = (round) => readersTurn(round) !== null;

export function nextSeat() {
  const before = play.finished.at(-1);
  if (play.seat !== null) return play.seat;
  return before ? (before.seat + 1) % players.length : 0;
}

export function deal() {
  /** @type {Round} */
  const round = { seat: nextSeat(), rolls: dealt.map(drawn), moves: [], reading: null, isRolled: false, isGoingOn: false, trouble: null };
  play.round = round;
  return round;
}

/**
 * Return the place of the action that the strategy draws for the mover.
 * @param {Reading} reading @param {number[]} rolls
 */
export function ofStrategy(reading, rolls) {
  return drawn(reading.probabilities.map((chances) => chances[rolls[reading.mover]]));
}

/* The score */

/** All rounds, the one on the table too. */
const roundsSoFar = () => (play.round ? [...play.finished, play.round] : play.finished);

/** What has come of the rounds that came to a showdown, and of the reader's moves in all that they have played in, counted or not. */
export function score() {
  const over = roundsSoFar().filter(isShown);
  const own = roundsSoFar().map((round) => round.moves.filter(({ who }) => who === round.seat)).filter((moves) => moves.length);
  const moves = own.flat();
  const priced = moves.flatMap(({ cost }) => (cost === null || cost === undefined ? [] : [cost]));
  const mistakes = priced.filter((cost) => !isNothing(cost));
  const lostRounds = over.filter((round) => showdownOf(round)?.loser === round.seat).length;
  const cost = sum(mistakes);
  return { rounds: over, lost: lostRounds, played: own.length, decisions: priced.length, unknown: moves.length - priced.length, mistakes, cost };
}

/**
 * What the strategy expects from the reader's seats against itself, in payoffs; null where the page does not know that.
 * @param {Round[]} rounds
 */
export async function expectedOf(rounds) {
  if (players.length > 2) return null;
  const opening = await source([]);
  const values = dealt[0].map((_, roll) => worthOf(opening, roll));
  if (!values.every((value) => value !== null)) return null;
  const first = sum(dealt[0].map((chance, roll) => times(chance, values[roll])));
  return sum(rounds.map(({ seat }) => (seat === 0 ? first : minus(plus(LEAST, MOST), first))));
}
