/*
 * What stands on the page of a round. Its parts stay where they are from move to move, and only what is in them changes: so
 * the focus stays where it was, and what is new is heard.
 */

import { colourOf, dicePage, LEAST, MOST, nameOf, page, playerName, whole } from "./data.js";
import { button, coloured, dice, die, digitKey, element, heading, hidden, options, player, playerClass, rollName } from "./elements.js";
import { over, plus, times } from "./exact.js";
import { linkTo } from "./links.js";
import { counted, isNothing, isPositive, lost, lostInAll, payoff, rounded, share } from "./numerals.js";
import { isStill, PACE, pause } from "./pace.js";
import { actionsAfter, CALL, claiming, endings, isEnding, moverAfter, pageEnd, players, verbOf, wordOf } from "./readings.js";
import {
  bidsOf, expectedOf, hasEnded, isAtTable, isCut, play, readersTurn, score, showdownOf,
} from "./round.js";
import { noBidYet, tableOf, tagged, turnOf } from "./seats.js";

/** @type {Stage} */
export const stage = /** @type {any} */ ({});

/** What the reader can do at the table; play.js sets it.
 * @type {TableActions}
 */
export const does = /** @type {any} */ ({});

/** The parts, made when they are needed first. */
export function setTheTable() {
  if (stage.root) return;
  Object.assign(stage, {
    title: heading(),
    seat: element("p", { class: "tools choices" }),
    table: element("div", { class: "card" }),
    turn: element("p", { class: "verdict", role: "status" }),
    moves: element("div", { class: "turns" }),
    log: element("div", { class: "log", role: "log", "aria-labelledby": "log-title", tabindex: "0" }),
    score: element("div", {}),
  });
  stage.root = element("div", { class: "play" },
    element("div", { class: "top" }, stage.title, stage.seat),
    element("div", { class: "columns" },
      element("div", { class: "column" }, stage.table, element("section", { class: "card", "aria-label": "Your move" }, stage.turn, stage.moves)),
      element("div", { class: "column" },
        element("section", { class: "card" }, element("h3", { id: "log-title" }, "This round"), stage.log),
        element("section", { class: "card score", "aria-labelledby": "score-title" }, element("h3", { id: "score-title" }, "Score"), stage.score))));
}

/** The page of the round on the table; without one, the first is dealt. */
export function playPage() {
  setTheTable();
  fillTable();
  return [stage.root];
}

/** Empty what was said of another round. Who is choosing a seat stays there: with the arrow keys every option is chosen on the way. */
export function beginRound() {
  stage.log.replaceChildren();
  fillTable();
  if (document.activeElement?.id !== "play-seat") stage.title.focus({ preventScroll: true });
}

/** @param {Round} round @param {number} who */
const nameIn = (round, who) => element("b", { class: playerClass(who) }, who === round.seat ? "You" : playerName(who));

export function fillTable() {
  const { round } = play;
  if (!round) return;
  const number = play.finished.length + 1;
  stage.title.replaceChildren(`Round ${number}: you are `, player(round.seat));
  seatChoice(round);
  stage.table.replaceChildren(tableOf(round.seat, (who) => seatOf(round, who), middleOf(round)));
  stage.turn.replaceChildren(...turnWords(round));
  fillMoves(round);
  fillScore();
}

/** @param {Round} round */
function seatChoice(round) {
  const choices = [["", "each seat in turn"], ...players.map((who) => [String(who), playerName(who)])];
  const isLater = play.seat !== null && play.seat !== round.seat;
  const select = element("select", { id: "play-seat", onchange: (event) => does.takeSeat(event.target.value === "" ? null : Number(event.target.value)) },
    options(choices, String(play.seat ?? "")));
  const was = document.activeElement?.id === "play-seat";
  stage.seat.replaceChildren(element("label", {}, "Your seat ", select), element("span", { role: "status" }, isLater ? "from the next round" : ""),
    element("a", { href: "#" }, "Leave the table"));
  if (was) select.focus();
}

/**
 * A seat: the reader's dice lie open, those of the others at the showdown.
 * @param {Round} round @param {number} who
 */
function seatOf(round, who) {
  const faces = dicePage.rolls[who][round.rolls[who]];
  const isTurn = !hasEnded(round) && round.isRolled && moverAfter(bidsOf(round)) === who;
  const showdown = showdownOf(round);
  const lost = showdown?.loser === who;
  const verb = showdown?.ender === who ? verbOf(showdown.ending) : null;
  const isOpen = who === round.seat || showdown !== null;
  const words = isOpen ? rollName(faces) : `${faces.length} hidden`;
  return {
    marks: `${isTurn ? "turns" : ""} ${round.isRolled ? "" : "rolling"} ${lost ? "beaten" : ""}`,
    content: [
      nameIn(round, who),
      hidden(`, dice: ${round.isRolled ? words : "rolling"}; `),
      dice(isOpen ? faces : faces.map(() => "?"), who),
      turnOf(bidsOf(round), who, isTurn || verb !== null, verb ?? "to move"),
      showdown ? element("span", { class: "counting" }, lost ? "loses" : players.length === 2 ? "wins" : "is safe") : null,
    ],
  };
}

/** @param {Round} round */
function middleOf(round) {
  const bid = bidsOf(round).at(-1);
  if (bid === undefined) return noBidYet();
  const who = moverAfter(bidsOf(round).slice(0, -1));
  const showdown = showdownOf(round);
  const end = showdown ? counted(showdown.count, "die counts", "dice count") : `by ${who === round.seat ? "you" : playerName(who)}`;
  return [tagged(bid), element("small", {}, end)];
}

/**
 * What the reader is asked, or how the round has ended.
 * @param {Round} round
 */
function turnWords(round) {
  if (round.trouble) return [`The strategy does not answer: ${round.trouble}`];
  if (!round.isRolled) return ["The dice are rolling."];
  if (isCut(round)) return [`${pageEnd}: the round is not counted. `, element("code", {}, "liarsdice explore --serve"), " plays on."];
  const showdown = showdownOf(round);
  if (showdown) return [element("strong", {}, outcome(showdown.loser, round.seat))];
  const bids = bidsOf(round);
  if (moverAfter(bids) !== round.seat) return [`${playerName(moverAfter(bids))} is to move.`];
  const last = bids.at(-1);
  return [last === undefined ? "Your move: you open." : `Your move: ${choicesAfter(bids, last)}.`];
}

/**
 * The choices of the reader after some bids, in words.
 * @param {number[]} bids @param {number} last the last of them
 */
function choicesAfter(bids, last) {
  const mayRise = actionsAfter(bids).length > endings.length;
  const choices = [`call ${nameOf(last)}`, ...endings.slice(1).map(wordOf), ...(mayRise ? ["bid higher"] : [])];
  return choices.length === 1 ? choices[0] : `${choices.slice(0, -1).join(", ")}, or ${choices.at(-1)}`;
}

/** @param {number} loser @param {number} seat */
function outcome(loser, seat) {
  if (players.length === 2) return loser === seat ? "You lose the round." : "You win the round.";
  return loser === seat ? "You lose the round." : `${playerName(loser)} loses the round; you are safe.`;
}

/**
 * The moves as buttons while it is the reader's turn; afterwards what there is to do next.
 * @param {Round} round
 */
function fillMoves(round) {
  if (round.trouble) return stage.moves.replaceChildren(button({ id: "retry", onclick: () => askAgain(round) }, "Ask again"));
  if (hasEnded(round)) return stage.moves.replaceChildren(element("p", { class: "tools" }, button({ id: "next-round", onclick: () => does.nextRound() }, "Next round")));
  const reading = readersTurn(round);
  if (!reading || !round.isRolled) return stage.moves.replaceChildren();
  stage.moves.replaceChildren(element("div", { class: "moves", role: "group", "aria-label": "Moves" },
    reading.actions.map((action, at) => button({
      class: "move", style: { "--share": 1, "--fill": colourOf(action)[0] }, onclick: () => does.takeTurn(at),
    }, element("span", {}, coloured(action), digitKey(at))))));
}

/** @param {Round} round */
function askAgain(round) {
  stage.title.focus({ preventScroll: true });
  does.goOn(round);
}

/* What is said of the moves */

/** @param {...Content} words */
function say(...words) {
  stage.log.append(element("p", {}, words.flat()));
  stage.log.scrollTop = stage.log.scrollHeight;
}

/** @param {Round} round @param {Move} given */
export function sayMove(round, { who, history, action, cost = null, best = [], chance = 0 }) {
  const isMine = who === round.seat;
  const what = isEnding(action) ? [" ", claiming(action, nameOf(history[history.length - 1]), isMine)] : [isMine ? " bid " : " bids ", tagged(action)];
  const name = nameIn(round, who);
  if (!isMine) return say(name, what, ".");
  return say(name, what, ": ", priceOf(cost), ...besideIt(cost, best, chance), " ", element("a", { href: linkTo(history) }, "Why?"));
}

/**
 * What a move costs, marked.
 * @param {Num | null} cost
 */
function priceOf(cost) {
  if (cost === null) return "its cost is unknown here.";
  const isRight = isNothing(cost);
  return element("strong", { class: isRight ? "right" : "wrong" }, isRight ? "✓ costs nothing" : `✗ costs ${lost(cost)}`);
}

/**
 * What would have been better, or how often the strategy does the same.
 * @param {Num | null} cost @param {number[]} best @param {Num} chance
 */
function besideIt(cost, best, chance) {
  if (cost === null) return [];
  if (!isNothing(cost)) return [`; ${best.slice(0, 3).map(nameOf).join(" or ")} ${best.length > 1 ? "cost" : "costs"} nothing.`];
  return [isPositive(chance) ? `; the strategy does this with probability ${share(chance)}.` : "; the strategy never does."];
}

/** @param {Round} round */
const sayRoll = (round) => say(nameIn(round, round.seat), ` roll ${rollName(dicePage.rolls[round.seat][round.rolls[round.seat]])}.`);

/** @param {Round} round */
export function sayEnd(round) {
  const showdown = showdownOf(round);
  if (!showdown) return;
  const { count, isStanding } = showdown;
  const bid = nameOf(showdown.bid);
  const judged = showdown.ending === CALL ? `${bid} is ${isStanding ? "true" : "false"}` : `${bid} is ${isStanding ? "not " : ""}spot-on`;
  const held = players.filter((who) => who !== round.seat).map((who) => `${playerName(who)} had ${rollName(dicePage.rolls[who][round.rolls[who]])}`);
  say(`${held.join(", ")}: ${counted(count, "die counts", "dice count")}, so ${judged}.`);
}

/* The score */

function fillScore() {
  const { rounds, lost: defeats, played, decisions, unknown, mistakes, cost } = score();
  const won = rounds.length - defeats;
  const result = players.length === 2 ? `${won} won, ${defeats} lost` : `${defeats} of ${rounds.length} lost`;
  const fair = element("dd", { id: "fair" }, "–");
  /** @type {([string, HTMLElement] | null)[]} */
  const rows = [
    ["Rounds", element("dd", { id: "results" }, result)],
    page.isChance ? null : ["Payoffs", element("dd", {}, payoff(plus(times(whole(won), MOST), times(whole(defeats), LEAST))))],
    players.length === 2 ? [page.isChance ? "The strategy would win" : "The strategy would gain", fair] : null,
    ["Mistakes", element("dd", { id: "mistakes" }, `${mistakes.length} of ${counted(decisions, "move")}`)],
    ["They cost", element("dd", { id: "costs" }, cost ? `${lostInAll(cost)} in all, ${lostInAll(over(cost, whole(played)))} per round played` : "nothing")],
    unknown ? ["Unknown", element("dd", {}, `the cost of ${counted(unknown, "move")}`)] : null,
  ];
  stage.score.replaceChildren(element("div", {}, element("dl", {}, rows.flatMap((row) => (row ? [element("dt", {}, row[0]), row[1]] : []))),
    cost && page.isChance ? element("p", {}, `A cost is a loss in the probability of ${players.length === 2 ? "winning" : "not losing"}; costs add up to rounds.`) : null,
    element("p", { class: "tools" }, play.finished.length ? button({ id: "start-over", onclick: () => does.startOver() }, "Start over") : null)));
  if (rounds.length) expectedOf(rounds).then((expected) => expected === null || fair.replaceChildren(page.isChance ? `${rounded(expected, 1)} of ${counted(rounds.length, "round")}` : `${payoff(expected)} in all`), () => {});
}

/* Dice that roll */

/**
 * Turn the dice over for a moment; at once where nothing is to move.
 * @param {Round} round
 */
export async function rolled(round) {
  await pause(0); // so that the log is there, and empty, before it is heard
  for (let turn = 0; turn < PACE.turns && !isStill() && isAtTable(round); turn++) {
    const faces = dicePage.rolls[round.seat].flat();
    for (const one of stage.table.querySelectorAll(".seat:first-child .die")) one.replaceChildren(...die(faces[Math.floor(Math.random() * faces.length)]).childNodes);
    await pause(PACE.roll);
  }
  round.isRolled = true;
  sayRoll(round);
  if (isAtTable(round)) fillTable();
}
