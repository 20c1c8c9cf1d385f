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

const PACE = { roll: 90, turns: 8, move: 700 };

/** What was chosen and played; `seat` is a player, or null for one after the other. */
const play = { seat: null, round: null, finished: [] };

const isPlay = () => location.hash === "#play";
const isAtTable = (round) => isPlay() && play.round === round;
const bidsOf = (round) => round.moves.map(({ action }) => action).filter((action) => !isEnding(action));
const endingOf = (round) => round.moves.at(-1)?.action;
const isShown = (round) => isEnding(endingOf(round));

/** Whether the page knows no more of the bids: one of a large game ends before the betting does. */
const isCut = (round) => !isShown(round) && bidsOf(round).length > page.depth;
const hasEnded = (round) => isShown(round) || isCut(round);
const isReaders = (round) => !hasEnded(round) && round.reading !== null && round.reading.mover === round.seat;

const pause = (milliseconds) => new Promise((done) => setTimeout(done, isStill() ? 0 : milliseconds));

function nextSeat() {
  const before = play.finished.at(-1);
  if (play.seat !== null) return play.seat;
  return before ? (before.seat + 1) % players.length : 0;
}

function deal() {
  play.round = { seat: nextSeat(), rolls: page.chances.map(drawn), moves: [], reading: null, isRolled: false, isGoingOn: false, trouble: null };
}

/** The next round, or the first; one that has ended is counted. */
function nextRound() {
  if (play.round && hasEnded(play.round)) play.finished.push(play.round);
  deal();
  beginRound();
  return goOn(play.round);
}

/** Take another seat: at once where the reader has done nothing in this round, else from the next one on. */
function takeSeat(seat) {
  play.seat = seat;
  const { round } = play;
  if (round.moves.some(({ who }) => who === round.seat) || hasEnded(round) || round.seat === nextSeat()) return fillTable();
  deal();
  beginRound();
  return goOn(play.round);
}

function startOver() {
  Object.assign(play, { round: null, finished: [] });
  return nextRound();
}

/** The others move, one after the other, until it is the reader's turn, the round has ended, or the reader has gone elsewhere. */
async function goOn(round) {
  if (round.isGoingOn) return;
  Object.assign(round, { isGoingOn: true, trouble: null });
  try {
    if (!round.isRolled) await rolled(round);
    while (isAtTable(round) && !hasEnded(round)) {
      round.reading ||= await source(bidsOf(round));
      if (isReaders(round)) break;
      await pause(PACE.move);
      if (isAtTable(round)) await make(round, ofStrategy(round));
    }
  } catch (error) {
    round.trouble = error.message;
  }
  round.isGoingOn = false;
  if (isAtTable(round)) fillTable();
}

/** The place of the action that the strategy draws for who moves. */
function ofStrategy({ reading, rolls }) {
  return drawn(reading.probabilities.map((chances) => chances[rolls[reading.mover]]));
}

/** The reader's move. */
async function takeTurn(at) {
  const { round } = play;
  if (!isReaders(round) || !round.isRolled || at < 0 || at >= round.reading.actions.length) return;
  document.getElementById("heading").focus({ preventScroll: true });
  await make(round, at);
  await goOn(round);
}

/** Make a move in a round and say it; of the reader's own it is known what it costs. */
async function make(round, at) {
  const { reading, rolls, seat } = round;
  const roll = rolls[reading.mover];
  const costs = reading.actions.map((_, other) => (reading.values ? costOf(reading, other, roll) : null));
  const best = reading.actions.filter((_, other) => isNothing(costs[other]));
  const own = reading.mover === seat ? { cost: costs[at], best, chance: reading.probabilities[at][roll] } : {};
  round.moves.push({ who: reading.mover, history: reading.history, action: reading.actions[at], ...own });
  round.reading = null;
  sayMove(round, round.moves.at(-1));
  if (hasEnded(round)) sayEnd(round);
  fillTable();
}

/** How many dice count for the last bid. */
function counted({ rolls, ...round }) {
  const bid = bidsOf(round).at(-1);
  return sum(players.map((who) => page.matching[who][rolls[who]][bid]));
}

const isStanding = (round) => stands(bidsOf(round).at(-1), counted(round), endingOf(round));

/** Who has lost a round that came to a showdown: its last bidder, or who ended it. */
const loserOf = (round) => (isStanding(round) ? round.moves.at(-1) : round.moves.at(-2)).who;

/* The score */

/** All rounds, the one on the table too. */
const roundsSoFar = () => [...play.finished, play.round];

/** What has come of the rounds that came to a showdown, and of the reader's moves in all that they have played in, counted or not. */
function score() {
  const over = roundsSoFar().filter(isShown);
  const own = roundsSoFar().map((round) => round.moves.filter(({ who }) => who === round.seat)).filter((moves) => moves.length);
  const moves = own.flat();
  const priced = moves.filter(({ cost }) => cost !== null);
  const mistakes = priced.filter(({ cost }) => !isNothing(cost));
  const lostRounds = over.filter((round) => loserOf(round) === round.seat).length;
  const cost = sum(mistakes.map((move) => move.cost));
  return { rounds: over, lost: lostRounds, played: own.length, decisions: priced.length, unknown: moves.length - priced.length, mistakes, cost };
}

/** What the strategy expects from the reader's seats against itself, in payoffs; null where the page does not know that. */
async function expectedOf(rounds) {
  if (players.length > 2) return null;
  const opening = await source([]);
  if (!opening.values) return null;
  const first = sum(page.chances[0].map((chance, roll) => times(chance, worthOf(opening, roll))));
  return sum(rounds.map(({ seat }) => (seat === 0 ? first : minus(plus(LEAST, MOST), first))));
}
