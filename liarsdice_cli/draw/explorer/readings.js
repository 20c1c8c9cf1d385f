"use strict";
/*
 * What holds after a betting history.
 *
 * A reading is { history, mover, actions, probabilities, values, reaches }:
 *   history        the numbers of the bids, rising
 *   mover          who decides, 0 or 1
 *   actions        CALL (not in the opening), then the numbers of the higher bids
 *   probabilities  of every action (first index) with every roll of the mover (second)
 *   values         likewise, what the action is worth to the mover; null where nobody can know
 *   reaches        for both players, the chance of each roll times that of the player's own bids with it
 * It comes out of the page itself or, in a page that is served, from the server.
 */

const page = JSON.parse(document.getElementById("data").textContent);
const CALL = -1;

const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);
const moverAfter = (history) => history.length % 2;
const nameOf = (action) => (action === CALL ? "call" : page.bids[action]);

function actionsAfter(history) {
  const first = history.length ? history[history.length - 1] + 1 : 0;
  const bids = page.bids.map((_, bid) => bid).slice(first);
  return history.length ? [CALL, ...bids] : bids;
}

function choose(many, few) {
  let ways = 1;
  for (let i = 1; i <= few; i++) ways = (ways * (many - few + i)) / i;
  return ways;
}

/** The place of a history: short ones first, those of one length as their bit masks rise. */
function placeOf(history) {
  return sum(history.map((bid, at) => choose(page.bids.length, at) + choose(bid, at + 1)));
}

/** The four columns of numbers, as `page.py` joins them. */
async function unpacked() {
  const packed = Uint8Array.from(atob(page.columns), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = await new Response(stream).arrayBuffer();
  const numbers = page.exact ? new Float64Array(bytes) : new Float32Array(bytes);
  const wide = Math.max(page.rolls[0].length, page.rolls[1].length);
  const size = (depth) => wide * sum(Array.from({ length: depth + 1 }, (_, length) => choose(page.bids.length, length)));
  const parts = [size(page.depth), size(page.depth), size(page.depth + 1), size(page.depth + 1)];
  const [calls, ofCall, bids, ofBid] = parts.map((part, at) => {
    const start = sum(parts.slice(0, at));
    return numbers.subarray(start, start + part);
  });
  const row = (column, place, player) => [...column.subarray(place * wide, place * wide + page.rolls[player].length)];
  return { calls, ofCall, bids, ofBid, row };
}

/** Readings out of the page: a product along the history, everything else is looked up. */
async function ofPage() {
  const { calls, ofCall, bids, ofBid, row } = await unpacked();
  return (history) => {
    const mover = moverAfter(history);
    const reaches = page.chances.map((chances) => [...chances]);
    history.forEach((_, at) => {
      const taken = row(bids, placeOf(history.slice(0, at + 1)), at % 2);
      reaches[at % 2] = reaches[at % 2].map((reach, roll) => reach * taken[roll]);
    });
    const actions = actionsAfter(history);
    const table = (ofACall, ofABid) =>
      actions.map((action) =>
        action === CALL ? row(ofACall, placeOf(history), mover) : row(ofABid, placeOf([...history, action]), mover),
      );
    const values = table(ofCall, ofBid);
    return {
      history,
      mover,
      actions,
      probabilities: table(calls, bids),
      values: values.flat().some(Number.isNaN) ? null : values,
      reaches,
    };
  };
}

/** Readings from the server that the page comes from, each asked for once. */
function ofServer() {
  const known = new Map();
  return async (history) => {
    const names = history.map((bid) => page.bids[bid]).join(",");
    if (!known.has(names)) {
      const answer = await fetch(`after?history=${encodeURIComponent(names)}`);
      if (!answer.ok) throw new Error(await answer.text());
      known.set(names, await answer.json());
    }
    return { history, mover: moverAfter(history), actions: actionsAfter(history), ...known.get(names) };
  };
}

/** The probability of every roll of a player once the history is known; null where it cannot have come about. */
function beliefs(reading, player) {
  const total = sum(reading.reaches[player]);
  return total > 0 ? reading.reaches[player].map((reach) => reach / total) : null;
}

const reachOf = (reading) => sum(reading.reaches[0]) * sum(reading.reaches[1]);
const worthOf = (reading, roll) => sum(reading.actions.map((_, at) => reading.probabilities[at][roll] * reading.values[at][roll]));

function costOf(reading, at, roll) {
  return Math.max(...reading.values.map((values) => values[roll])) - reading.values[at][roll];
}

/** How likely every action is, over the rolls that the mover may hold; null where they can hold none. */
function likelihoods(reading) {
  const held = beliefs(reading, reading.mover);
  return held && reading.actions.map((_, at) => sum(held.map((chance, roll) => chance * reading.probabilities[at][roll])));
}

function isTrue(bid, first, second) {
  return page.matching[0][first][bid] + page.matching[1][second][bid] >= page.quantities[bid];
}

/** The probability that the last bid is true when a player holds a roll; null where the other cannot hold any. */
function oddsWith(reading, player, roll) {
  const held = beliefs(reading, 1 - player);
  const bid = reading.history[reading.history.length - 1];
  return held && sum(held.filter((_, other) => (player ? isTrue(bid, other, roll) : isTrue(bid, roll, other))));
}

/** The same for somebody who sees no dice. */
function odds(reading) {
  const held = beliefs(reading, 0);
  return held && beliefs(reading, 1) && sum(held.map((chance, roll) => chance * oddsWith(reading, 0, roll)));
}

/** What is known once the mover has called: their roll is one with which they call. */
function called(reading) {
  const reaches = reading.reaches.map((reach, player) =>
    player === reading.mover ? reach.map((one, roll) => one * reading.probabilities[0][roll]) : reach,
  );
  return { ...reading, reaches };
}
