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
/** @param {Round} round */
export const endingOf = (round) => round.moves.at(-1)?.action;
/** @param {Round} round */
export const isShown = (round) => isEnding(endingOf(round));

/**
 * Whether the page knows no more of the bids: one of a large game ends before the betting does.
 * @param {Round} round
 */
export const isCut = (round) => !isShown(round) && bidsOf(round).length > dicePage.depth;
/** @param {Round} round */
export const hasEnded = (round) => isShown(round) || isCut(round);
/** @param {Round} round */
export const isReaders = (round) => !hasEnded(round) && round.reading !== null && round.reading.mover === round.seat;

export function nextSeat() {
  const before = play.finished.at(-1);
  if (play.seat !== null) return play.seat;
  return before ? (before.seat + 1) % players.length : 0;
}

export function deal() {
  play.round = { seat: nextSeat(), rolls: dealt.map(drawn), moves: [], reading: null, isRolled: false, isGoingOn: false, trouble: null };
}

/**
 * The place of the action that the strategy draws for who moves.
 * @param {Round} given
 */
export function ofStrategy({ reading, rolls }) {
  return drawn(reading.probabilities.map((chances) => chances[rolls[reading.mover]]));
}

/**
 * How many dice count for the last bid.
 * @param {Round} round
 */
export function counted(round) {
  const bid = bidsOf(round).at(-1);
  return sum(players.map((who) => dicePage.matching[who][round.rolls[who]][bid]));
}

/** @param {Round} round */
export const isStanding = (round) => stands(bidsOf(round).at(-1), counted(round), endingOf(round));

/**
 * Who has lost a round that came to a showdown: its last bidder, or who ended it.
 * @param {Round} round
 */
export const loserOf = (round) => (isStanding(round) ? round.moves.at(-1) : round.moves.at(-2)).who;

/* The score */

/** All rounds, the one on the table too. */
const roundsSoFar = () => [...play.finished, play.round];

/** What has come of the rounds that came to a showdown, and of the reader's moves in all that they have played in, counted or not. */
export function score() {
  const over = roundsSoFar().filter(isShown);
  const own = roundsSoFar().map((round) => round.moves.filter(({ who }) => who === round.seat)).filter((moves) => moves.length);
  const moves = own.flat();
  const priced = moves.filter(({ cost }) => cost !== null);
  const mistakes = priced.filter(({ cost }) => !isNothing(cost));
  const lostRounds = over.filter((round) => loserOf(round) === round.seat).length;
  const cost = sum(mistakes.map((move) => move.cost));
  return { rounds: over, lost: lostRounds, played: own.length, decisions: priced.length, unknown: moves.length - priced.length, mistakes, cost };
}

/**
 * What the strategy expects from the reader's seats against itself, in payoffs; null where the page does not know that.
 * @param {Round[]} rounds
 */
export async function expectedOf(rounds) {
  if (players.length > 2) return null;
  const opening = await source([]);
  if (!opening.values) return null;
  const first = sum(dealt[0].map((chance, roll) => times(chance, worthOf(opening, roll))));
  return sum(rounds.map(({ seat }) => (seat === 0 ? first : minus(plus(LEAST, MOST), first))));
}
