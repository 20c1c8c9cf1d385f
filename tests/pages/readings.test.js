import assert from "node:assert/strict";
import { before, test } from "node:test";
import { openPage, twoSides } from "./page.js";

let modules;
const text = (number) => (typeof number === "number" ? String(number) : number.text);

before(async () => {
  openPage("explorer/explorer.html", twoSides());
  modules = {
    ...(await import("../../liarsdice_cli/draw/explorer/readings.js")),
    ...(await import("../../liarsdice_cli/draw/explorer/links.js")),
    sources: await import("../../liarsdice_cli/draw/explorer/sources.js"),
  };
  await modules.sources.openSource();
});

test("the rules of the game come from the data", () => {
  assert.deepEqual(modules.actionsAfter([]), [0, 1, 2, 3]);
  assert.deepEqual(modules.actionsAfter([1]), [-1, 2, 3]);
  assert.deepEqual(modules.actionsAfter([3]), [-1]);
  assert.equal(modules.stands(2, 1, -1), false);
  assert.equal(modules.stands(2, 2, -1), true);
});

test("a reading has a probability for every action and roll", async () => {
  const opening = await modules.sources.source([]);
  assert.equal(opening.probabilities.length, 4);
  for (const roll of [0, 1]) assert.equal(text(opening.probabilities.map((row) => row[roll]).reduce((a, b) => a + Number(b), 0)), "1");
  assert.deepEqual(opening.reaches.map((reach) => reach.map(text)), [["1/2", "1/2"], ["1/2", "1/2"]]);
});

test("histories of one length have consecutive places, and every history its own", () => {
  const histories = [[], [0], [1], [2], [3], [0, 1], [0, 2], [1, 2], [0, 3], [1, 3], [2, 3]];
  assert.deepEqual(histories.map(modules.sources.placeOf), [...histories.keys()]);
});

test("beliefs add up to 1, and the odds of the last bid follow from them", async () => {
  const reading = await modules.sources.source([0]);
  const held = modules.beliefs(reading, 0);
  assert.equal(Number(held[0]) + Number(held[1]), 1);
  const odds = Number(modules.oddsWith(reading, 1, 1));
  assert.equal(odds, Number(held[0]), "with a 2, the bid 1x1 is true if the opener holds a 1");
});

test("an address names the bids and the action that ended the round", () => {
  assert.equal(modules.linkTo([0, 2], ["call"]), "#1x1,2x1,call");
  assert.equal(modules.written([]), "the opening");
});
