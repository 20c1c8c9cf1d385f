/*
 * Play: the players take their turns. The strategy plays every seat except the reader's.
 */

import { byId, placeOfDigit } from "./elements.js";
import { isNothing } from "./numerals.js";
import { PACE, pause } from "./pace.js";
import { show } from "./page.js";
import { beginRound, does, fillTable, playPage, rolled, sayEnd, sayMove, setTheTable, stage } from "./play_views.js";
import { CALL, SPOT_ON } from "./readings.js";
import { bidsOf, deal, hasEnded, isAtTable, isReaders, nextSeat, ofStrategy, play, readersTurn } from "./round.js";
import { source } from "./sources.js";
import { costOf } from "./worth.js";

/** The next round, or the first; one that has ended is counted. */
function nextRound() {
  if (play.round && hasEnded(play.round)) play.finished.push(play.round);
  const round = deal();
  beginRound();
  return goOn(round);
}

/**
 * Take another seat: at once if the reader has not moved in this round, otherwise from the next round on.
 * @param {number | null} seat
 */
function takeSeat(seat) {
  play.seat = seat;
  const { round } = play;
  if (!round || round.moves.some(({ who }) => who === round.seat) || hasEnded(round) || round.seat === nextSeat()) return fillTable();
  const dealtAgain = deal();
  beginRound();
  return goOn(dealtAgain);
}

function startOver() {
  Object.assign(play, { round: null, finished: [] });
  return nextRound();
}

/**
 * The others move, one after the other, until it is the reader's turn, the round has ended, or the reader has gone elsewhere.
 * @param {Round} round
 */
async function goOn(round) {
  if (round.isGoingOn) return;
  Object.assign(round, { isGoingOn: true, trouble: null });
  try {
    if (!round.isRolled) await rolled(round);
    while (isAtTable(round) && !hasEnded(round)) {
      const reading = round.reading ?? (await source(bidsOf(round)));
      round.reading = reading;
      if (isReaders(round)) break;
      await pause(PACE.move);
      if (isAtTable(round)) await make(round, reading, ofStrategy(reading, round.rolls));
    }
  } catch (error) {
    round.trouble = /** @type {Error} */ (error).message;
  }
  round.isGoingOn = false;
  if (isAtTable(round)) fillTable();
}

/**
 * The reader's move.
 * @param {number} at
 */
async function takeTurn(at) {
  const { round } = play;
  const reading = round && readersTurn(round);
  if (!reading || !round.isRolled || at < 0 || at >= reading.actions.length) return;
  byId("heading").focus({ preventScroll: true });
  await make(round, reading, at);
  await goOn(round);
}

/**
 * Make a move in a round and announce it, with its cost if it is the reader's.
 * @param {Round} round @param {Reading} reading @param {number} at
 */
async function make(round, reading, at) {
  const { rolls, seat } = round;
  const roll = rolls[reading.mover];
  const costs = reading.actions.map((_, other) => (reading.values ? costOf(reading, other, roll) : null));
  const best = reading.actions.filter((_, other) => isNothing(costs[other]));
  const own = reading.mover === seat ? { cost: costs[at], best, chance: reading.probabilities[at][roll] } : {};
  /** @type {Move} */
  const move = { who: reading.mover, history: reading.history, action: reading.actions[at], ...own };
  round.moves.push(move);
  round.reading = null;
  sayMove(round, move);
  if (hasEnded(round)) sayEnd(round);
  fillTable();
}

/** What a reader sees who comes to the table, or back to it. */
export async function sitDown() {
  setTheTable();
  const round = play.round ?? deal();
  show(playPage());
  goOn(round);
}

/* Keys */

/** @type {Record<string, number>} */
const ENDING_KEYS = { c: CALL, s: SPOT_ON };
/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/**
 * A key at the table: a digit, `c` or `s` moves, arrows go from move to move, `n` deals again. Whether it was one of these.
 * @param {KeyboardEvent} event
 */
export function typedAtTable(event) {
  if (/** @type {Element} */ (event.target).matches?.("select")) return false;
  const { round } = play;
  if (!round) return false;
  const reading = readersTurn(round);
  if (event.key === "n" && hasEnded(round)) nextRound();
  else if (event.key in ENDING_KEYS && reading) takeTurn(reading.actions.indexOf(ENDING_KEYS[event.key]));
  else if (/^[0-9]$/.test(event.key) && reading) takeTurn(placeOfDigit(event.key));
  else if (event.key in STEPS && event.target !== stage.log) return stepTo(event);
  else return false;
  event.preventDefault();
  return true;
}

/**
 * Another move gets the focus.
 * @param {KeyboardEvent} event
 */
function stepTo(event) {
  const buttons = [.../** @type {NodeListOf<HTMLElement>} */ (stage.moves.querySelectorAll(".move"))];
  if (!buttons.length) return false;
  const at = buttons.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const next = at < 0 ? (STEPS[event.key] > 0 ? 0 : buttons.length - 1) : (at + STEPS[event.key] + buttons.length) % buttons.length;
  buttons[next].focus();
  event.preventDefault();
  return true;
}

Object.assign(does, { takeSeat, takeTurn, goOn, nextRound, startOver });
