/*
 * Where readings come from: the page itself, or the server of a page for a large game.
 */

import { prepareConnection, reach } from "./connection.js";
import { dicePage, page } from "./data.js";
import { numberOf, sum, times } from "./exact.js";
import {
  actionsAfter, bidNames, CALL, dealt, endings, isEnding, mistakenBy, moverAfter, onPurpose, players,
} from "./readings.js";

/**
 * Return the reading after a history; `openSource` sets it.
 * @type {(history: number[]) => Reading | Promise<Reading>}
 */
export let source = () => {
  throw new Error("the numbers of the page are not open yet");
};

/** Open the source of readings; raises an error in a browser that cannot unpack the page's numbers. */
export async function openSource() {
  if (dicePage.columns && !("DecompressionStream" in window)) throw new Error("this browser is too old: it has no DecompressionStream");
  source = dicePage.columns ? await ofPage() : ofServer();
}

/** @param {number} many @param {number} few */
function choose(many, few) {
  let ways = 1;
  for (let i = 1; i <= few; i++) ways = (ways * (many - few + i)) / i;
  return ways;
}

/**
 * The place of a history: short ones first, those of one length as their bit masks rise.
 * @param {number[]} history
 */
export function placeOf(history) {
  return sum(history.map((bid, at) => choose(bidNames.length, at) + choose(bid, at + 1)));
}

/** @param {string} packed */
async function inflated(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")));
}

/** The numbers of the columns, and the meaning of each: a float is itself, any other number is a place in a list of fractions. */
async function numbersOfPage() {
  const bytes = await (await inflated(dicePage.columns ?? "")).arrayBuffer();
  if (!page.fractions) return { numbers: new Float32Array(bytes), meaning: (/** @type {number} */ number) => number };
  const fractions = (await (await inflated(dicePage.numerals ?? "")).text()).split(" ").map(numberOf);
  const numbers = fractions.length > 1 << 16 ? new Uint32Array(bytes) : new Uint16Array(bytes);
  return { numbers, meaning: (/** @type {number} */ place) => fractions[place] };
}

/**
 * The columns of numbers, as `columns.py` joins them; that of the endings is one after the other of the same size. On a page in
 * fractions, `likely` has the probability of each roll for histories that their last bidder reaches only by mistake; otherwise 0.
 */
async function unpacked() {
  const { numbers, meaning } = await numbersOfPage();
  const wide = Math.max(...dicePage.rolls.map((rolls) => rolls.length));
  const places = (/** @type {number} */ depth) => sum(Array.from({ length: depth + 1 }, (_, length) => choose(bidNames.length, length)));
  const [shown, made] = [places(dicePage.depth), places(dicePage.depth + 1)];
  const parts = [endings.length * shown, endings.length * shown, made, made, page.fractions ? made : 0];
  const [ends, ofEnd, bids, ofBid, likely] = parts.map((part, at) => {
    const start = wide * sum(parts.slice(0, at));
    return numbers.subarray(start, start + wide * part);
  });
  /** @type {(column: Columns, place: number, player: number) => Num[]} */
  const row = (column, place, player) => Array.from(/** @type {Float32Array} */ (column).subarray(place * wide, place * wide + dicePage.rolls[player].length), meaning);
  /** @type {(column: Columns, ending: number, history: number[], player: number) => Num[]} */
  const rowOfEnd = (column, ending, history, player) => row(column, (CALL - ending) * shown + placeOf(history), player);
  return { ends, ofEnd, bids, ofBid, likely, row, rowOfEnd };
}

/** Readings out of the page: a product along the history, everything else is looked up. */
async function ofPage() {
  const { ends, ofEnd, bids, ofBid, likely, row, rowOfEnd } = await unpacked();
  return (/** @type {number[]} */ history) => {
    const mover = moverAfter(history);
    const reaches = dealt.map((chances) => [...chances]);
    /** @type {Set<number>} */
    const erring = new Set();
    history.forEach((_, at) => {
      const bidder = moverAfter(history.slice(0, at));
      const place = placeOf(history.slice(0, at + 1));
      const taken = row(bids, place, bidder);
      const mistakes = page.fractions ? row(likely, place, bidder) : [];
      if (mistakes.some((chance) => chance !== 0)) {
        reaches[bidder] = mistakes;
        erring.add(bidder);
      } else reaches[bidder] = reaches[bidder].map((reach, roll) => times(reach, taken[roll]));
    });
    const actions = actionsAfter(history);
    const table = (/** @type {Columns} */ ofAnEnd, /** @type {Columns} */ ofABid) =>
      actions.map((action) =>
        isEnding(action) ? rowOfEnd(ofAnEnd, action, history, mover) : row(ofABid, placeOf([...history, action]), mover),
      );
    const values = table(ofEnd, ofBid);
    return {
      history,
      mover,
      actions,
      probabilities: table(ends, bids).map((row) => row.map(onPurpose)),
      values: values.flat().some(Number.isNaN) ? null : values,
      reaches,
      mistaken: page.fractions ? players.filter((player) => erring.has(player)) : mistakenBy(reaches),
    };
  };
}

/**
 * Return what the server sent, with its numbers read.
 * @param {ServedReading} served
 */
function withNumbers({ probabilities, values, reaches, mistaken }) {
  const numbers = (/** @type {Written[][]} */ rows) => rows.map((row) => row.map(numberOf));
  const read = numbers(reaches);
  return {
    probabilities: numbers(probabilities).map((row) => row.map(onPurpose)),
    values: values && numbers(values),
    reaches: read,
    mistaken: mistaken ?? mistakenBy(read),
  };
}

/** Readings from the server that the page comes from, each requested once. */
function ofServer() {
  /** @type {Map<string, Pick<Reading, "probabilities" | "values" | "reaches" | "mistaken">>} */
  const known = new Map();
  prepareConnection();
  return async (/** @type {number[]} */ history) => {
    const names = history.map((bid) => bidNames[bid]).join(",");
    let numbers = known.get(names);
    if (!numbers) {
      const { ok, text } = await reach(`after?history=${encodeURIComponent(names)}`);
      if (!ok) throw new Error(text);
      numbers = withNumbers(JSON.parse(text));
      known.set(names, numbers);
    }
    return { history, mover: moverAfter(history), actions: actionsAfter(history), ...numbers };
  };
}
