/*
 * Getting around in Liar's Dice. The address says what is shown: #1x2,2x3, #1x2,call, #1x2,spot-on, #quiz or #play.
 */

import { comparison, mark, marked, movedOn } from "./compare.js";
import { dicePage, nameOf, page } from "./data.js";
import { byId, warning } from "./elements.js";
import { highest, sum } from "./exact.js";
import { keep } from "./keeping.js";
import { kind } from "./kind.js";
import { linkTo, written } from "./links.js";
import { show, start, stepRow } from "./page.js";
import { sitDown, typedAtTable } from "./play.js";
import { playPage } from "./play_views.js";
import { ask, guessKey, nextQuestion, quiz, quizPage } from "./quiz.js";
import { actionsAfter, bidNames, endings, isEnding, isSpotOnPlayed, likelihoods } from "./readings.js";
import { alternativesOf, besides, heldOf, listed, rollWords, rowMark, rowName, rowWidth } from "./rolls.js";
import { isPlay } from "./round.js";
import { openSource, source } from "./sources.js";
import { shownRows } from "./tables.js";
import { diceUnit } from "./unit.js";
import { crumbs, decision, showdown } from "./views.js";

/** The decision on the page; null in the quiz and at the table.
 * @type {{ reading: Reading, ending: number | null, beside: Reading | null } | null}
 */
let shown = null;

const isQuiz = () => location.hash === "#quiz";

/**
 * What an address says: a history, or two parted by a semicolon; null where there is none of them.
 * @param {string} hash
 */
function fromAddress(hash) {
  const [one, other, ...more] = decodeURIComponent(hash.slice(1)).split(";").map(historyIn);
  if (!one || more.length || other === null || (other && (one.ending !== null || other.ending !== null))) return null;
  return { ...one, beside: other ? other.history : null };
}

/** @param {string} words */
function historyIn(words) {
  const names = words.split(",").filter(Boolean);
  const ending = endings.find((one) => nameOf(one) === names[names.length - 1]) ?? null;
  const history = (ending === null ? names : names.slice(0, -1)).map((name) => bidNames.indexOf(name));
  const rises = history.every((bid, at) => bid >= 0 && actionsAfter(history.slice(0, at)).includes(bid));
  const fits = history.length <= dicePage.depth && (ending === null || history.length > 0);
  return rises && fits ? { history, ending } : null;
}

/** Draw what the address says. */
async function draw() {
  document.documentElement.classList.toggle("in-quiz", isQuiz());
  if (isQuiz() || isPlay()) {
    shown = null;
    byId("path").replaceChildren();
    document.title = `${isPlay() ? "Play" : "Quiz"} · ${page.title}`;
    return isPlay() ? sitDown() : ask();
  }
  const { hash } = location;
  let asked = null;
  try {
    asked = fromAddress(hash);
  } catch {
    asked = null; // no address that can be decoded
  }
  const { history, ending, beside } = asked || { history: [], ending: null, beside: null };
  const [reading, other] = [await source(history), beside && (await source(beside))];
  if (location.hash !== hash) return; // the reader has gone elsewhere meanwhile
  if (!shown?.beside) mark(1); // the right is where the reader was before the comparison
  shown = { reading, ending, beside: other };
  byId("path").replaceChildren(...(beside ? [] : [crumbs(history, ending)]));
  show([asked ? null : warning("The address names no history of this page; this is the opening."), ...content()]);
  document.title = beside ? `${written(history)} beside ${written(beside)} · ${page.title}` : `${written(history)}${ending === null ? "" : ` ${nameOf(ending)}`} · ${page.title}`;
}

/** The page of what is shown. */
function content() {
  if (isQuiz()) return quizPage();
  if (isPlay()) return playPage();
  if (!shown) return [];
  const { reading, ending, beside } = shown;
  if (beside) return comparison([reading, beside]);
  return ending === null ? decision(reading) : showdown(reading, ending);
}

/** The reading that keys move from: in a comparison, that of the marked side. */
function current() {
  if (!shown) return null;
  return shown.beside && marked.side === 1 ? shown.beside : shown.reading;
}

/**
 * Go to a history; in a comparison, on the marked side.
 * @param {number[]} history
 */
function goTo(history) {
  if (shown) location.hash = shown.beside ? movedOn([shown.reading, shown.beside], marked.side, history) : linkTo(history);
}

function back() {
  const reading = current();
  if (!shown || !reading) return;
  const { history } = reading;
  if (shown.ending !== null) goTo(history);
  else if (history.length) goTo(history.slice(0, -1));
}

/** The likeliest move; in a comparison the likeliest bid, since a comparison has no page for the end of the bidding. */
function onwards() {
  const reading = current();
  if (!shown || !reading || shown.ending !== null) return;
  const isBeside = shown.beside !== null;
  const likely = likelihoods(reading) || reading.actions.map((_, at) => sum(reading.probabilities[at]));
  const possible = reading.actions.map((action, at) => ((isEnding(action) ? !isBeside : reading.history.length < dicePage.depth) ? Number(likely[at]) : -1));
  const likeliest = highest(possible);
  const action = reading.actions[possible.indexOf(likeliest)];
  if (likeliest < 0) return;
  if (isEnding(action)) location.hash = linkTo(reading.history, [nameOf(action)]);
  else goTo([...reading.history, action]);
}

/** @param {number} by */
function step(by) {
  const reading = current();
  if (reading && shown?.ending === null) stepRow(shownRows(reading), by);
}

const diceKeys = {
  p: () => (location.hash = "play"),
  q: () => (location.hash = "quiz"),
  c: () => shown && shown.ending === null && !shown.beside && keep(shown.reading.history),
  n: () => isQuiz() && quiz.answer !== null && nextQuestion(),
};

/**
 * Whether a key was typed that answers the quiz, or that is one of the table.
 * @param {KeyboardEvent} event
 */
function typed(event) {
  if (isPlay()) return typedAtTable(event);
  const answers = isQuiz() && /^[0-9]$/.test(event.key);
  if (answers) guessKey(event.key);
  return answers;
}

function prepareOwn() {
  document.documentElement.classList.toggle("exact", isSpotOnPlayed);
  for (const place of ["play", "quiz"]) {
    const button = byId(`to-${place}`);
    button.hidden = false;
    button.addEventListener("click", () => (location.hash = place));
  }
}

Object.assign(kind, {
  unit: diceUnit,
  rows: { words: rollWords, rowMark, rowName, rowWidth, heldOf, listed, besides, alternativesOf },
  open: openSource,
  isShown: () => shown !== null,
  draw, content, back, onwards, step, typed,
  keys: diceKeys,
  prepare: prepareOwn,
});
start();
