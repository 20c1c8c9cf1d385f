/*
 * Quiz me: a deal and some bids as the strategy plays them, the others' dice hidden; guess the move, see what it costs.
 */

import { drawn } from "./chance.js";
import { colourOf, dicePage, nameOf, playerName, whole } from "./data.js";
import { button, coloured, dice, digitKey, element, heading, hidden, note, placeOfDigit, player, rollName } from "./elements.js";
import { over, plus, sum } from "./exact.js";
import { linkTo, written } from "./links.js";
import { counted, isNothing, isPositive, lost, lostInAll, share } from "./numerals.js";
import { show } from "./page.js";
import { dealt, isEnding, othersThan } from "./readings.js";
import { source } from "./sources.js";
import { costOf } from "./worth.js";

/**
 * @type {{ question: { reading: Reading, rolls: number[] } | null, answer: number | null, open: Set<number>, costs: Num[], best: number,
 *   streak: number, longest: number, weak: Map<string, { history: number[], cost: Num, times: number }> }}
 */
export const quiz = { question: null, answer: null, open: new Set(), costs: [], best: 0, streak: 0, longest: 0, weak: new Map() };

/** One game as the strategy plays it, and of its decisions one at random. */
async function asked() {
  const rolls = dealt.map(drawn);
  /** @type {Reading[]} */
  const decisions = [];
  for (let history = /** @type {number[]} */ ([]); history.length <= dicePage.depth; ) {
    const reading = await source(history);
    decisions.push(reading);
    const action = reading.actions[drawn(reading.probabilities.map((chances) => chances[rolls[reading.mover]]))];
    if (isEnding(action)) break;
    history = [...history, action];
  }
  const known = decisions.filter((reading) => reading.values && reading.actions.length > 1);
  return known.length ? { reading: known[Math.floor(Math.random() * known.length)], rolls } : null;
}

export async function ask() {
  Object.assign(quiz, { answer: null, open: new Set(), question: null });
  for (let tries = 0; tries < 20 && !quiz.question; tries++) quiz.question = await asked();
  if (location.hash === "#quiz") show(quizPage()); // else the reader has left it meanwhile
}

/** Ask another question, with the focus on its heading. */
export async function nextQuestion() {
  await ask();
  focusOn("heading");
}

/**
 * Move the focus to an element of the page that has just been drawn, so that it is not lost with the old one.
 * @param {string} id
 */
const focusOn = (id) => document.getElementById(id)?.focus({ preventScroll: true });

/** @param {number} at */
function guess(at) {
  if (quiz.answer !== null || !quiz.question) return;
  const { reading, rolls } = quiz.question;
  quiz.answer = at;
  const cost = costOf(reading, at, rolls[reading.mover]);
  if (cost !== null) count(reading, cost);
  show(quizPage());
  focusOn("next");
}

/**
 * Add the cost of an answer to the tally.
 * @param {Reading} reading @param {Num} cost
 */
function count(reading, cost) {
  quiz.costs.push(cost);
  const isBest = isNothing(cost);
  quiz.best += Number(isBest);
  quiz.streak = isBest ? quiz.streak + 1 : 0;
  quiz.longest = Math.max(quiz.longest, quiz.streak);
  if (!isBest) remember(reading, cost);
}

/**
 * Add a mistake to those after the same history.
 * @param {Reading} reading @param {Num} cost
 */
function remember(reading, cost) {
  const before = quiz.weak.get(linkTo(reading.history)) || { history: reading.history, cost: 0, times: 0 };
  quiz.weak.set(linkTo(reading.history), { ...before, cost: plus(before.cost, cost), times: before.times + 1 });
}

/**
 * A digit: that many moves on, 0 for the tenth.
 * @param {string} digit
 */
export function guessKey(digit) {
  const place = placeOfDigit(digit);
  if (quiz.answer === null && quiz.question && place < quiz.question.reading.actions.length) guess(place);
}

/** @param {number} player */
function reveal(player) {
  quiz.open.add(player);
  show(quizPage());
  focusOn(`dice-${player}`);
}

function tally() {
  const many = quiz.costs.length;
  if (!many) return null;
  return element("p", { id: "tally" },
    `${quiz.best} of ${many} answers cost nothing; mean cost ${lost(over(sum(quiz.costs), whole(many)))}. `,
    `Current streak: ${quiz.streak}, longest: ${quiz.longest}.`);
}

/** Where mistakes have cost most. */
function weakSpots() {
  const worst = [...quiz.weak.values()].sort((one, other) => Number(other.cost) - Number(one.cost)).slice(0, 5);
  if (!worst.length) return null;
  return element("section", { class: "card weak", "aria-labelledby": "weak-title" },
    element("h3", { id: "weak-title" }, "Weak spots"),
    element("ol", {}, worst.map(({ history, cost, times }) =>
      element("li", {}, element("a", { href: linkTo(history) }, history.length ? `after ${written(history)}` : "the opening"),
        `: ${counted(times, "mistake")}, ${lostInAll(cost)} in all`))));
}

/**
 * What the guess costs, beside what the strategy does.
 * @param {Reading} reading @param {number} roll @param {number} answer
 */
function verdict(reading, roll, answer) {
  const cost = costOf(reading, answer, roll);
  const name = nameOf(reading.actions[answer]);
  const chance = reading.probabilities[answer][roll];
  const words = isNothing(cost) ? `${name} costs nothing` : `${name} costs ${lost(cost)}`;
  return element("p", { id: "verdict", class: `verdict ${isNothing(cost) ? "right" : "wrong"}`, role: "status" },
    element("strong", {}, words), isPositive(chance) ? `; the strategy takes it with probability ${share(chance)}.` : "; the strategy never takes it.");
}

/** @param {Reading} reading @param {number} roll */
function quizMoves(reading, roll) {
  return element("div", { class: "moves", role: "group", "aria-label": "Your move" },
    reading.actions.map((action, at) => {
      const done = quiz.answer !== null;
      const chance = reading.probabilities[at][roll];
      return button({
        class: `move${done && !isPositive(chance) ? " never" : ""}${at === quiz.answer ? " guessed" : ""}`,
        disabled: done,
        style: { "--share": done ? chance : 0, "--fill": colourOf(action)[0] },
        onclick: () => guess(at),
      }, element("span", {}, coloured(action), done ? null : digitKey(at)),
      done ? element("small", {}, `${share(chance)}, costs ${lost(costOf(reading, at, roll))}`) : null);
    }));
}

/**
 * The dice of another player, under a cover until it is taken off.
 * @param {number} who @param {number[]} faces
 */
function covered(who, faces) {
  const shown = element("span", { id: `dice-${who}`, tabindex: "-1" }, hidden(rollName(faces)), dice(faces, who));
  const cover = button({ class: "cover", "aria-label": `Show ${playerName(who)}’s dice`, onclick: () => reveal(who) },
    dice(faces.map(() => "?"), who), " Show");
  return element("div", {}, element("dt", {}, `${playerName(who)}’s dice`), element("dd", {}, quiz.open.has(who) ? shown : cover));
}

export function quizPage() {
  if (!quiz.question) return [heading("Quiz"), note("No decision with known values came up.")];
  const { reading, rolls } = quiz.question;
  const { mover, history } = reading;
  const { answer } = quiz;
  const answered = answer !== null;
  return [
    heading("You are ", player(mover), history.length ? `, after ${written(history)}` : ", and you open"),
    element("dl", { class: "deal" },
      element("div", {}, element("dt", {}, "Your dice"), element("dd", {}, hidden(rollName(dicePage.rolls[mover][rolls[mover]])), dice(dicePage.rolls[mover][rolls[mover]], mover))),
      othersThan(mover).map((who) => covered(who, dicePage.rolls[who][rolls[who]]))),
    answered ? verdict(reading, rolls[mover], answer) : element("p", { class: "verdict" }, "What do you do?"),
    quizMoves(reading, rolls[mover]),
    element("p", { class: "tools" },
      answered ? button({ id: "next", "aria-describedby": "verdict", onclick: nextQuestion }, "Next question") : null,
      answered ? element("a", { href: linkTo(history) }, "See this decision") : null,
      element("a", { href: "#" }, "Leave the quiz")),
    tally(),
    weakSpots(),
  ];
}
