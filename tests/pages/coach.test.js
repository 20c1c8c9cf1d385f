import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import { openPage } from "./page.js";

const TABLE = {
  me: "me", title: "common rules", rules: { sides: 6 }, spot_on: false, round: 1, palifico: false, opener: "Ann", turn: "me", history: ["1x2"],
  players: [{ name: "Ann", dice: 1 }, { name: "Bob", dice: 0 }, { name: "me", dice: 2 }],
  bids: ["1x3", "2x2", "2x3"], my_dice: [2, 3], called: false, ended_by: null, between: [], loser: null, over: false,
  move: null, recommendation: null,
};
let desk;
let table;
let words;

before(async () => {
  openPage("coach/coach.html", { payoffs: [0, 1], exact: false, fractions: false, isChance: true, presets: {} });
  desk = await import("../../liarsdice_cli/draw/coach/desk.js");
  table = await import("../../liarsdice_cli/draw/coach/table.js");
  words = await import("../../liarsdice_cli/draw/coach/words.js");
});

beforeEach(() => {
  desk.desk.table = structuredClone(TABLE);
  desk.desk.isBusy = false;
});

test("a player without dice is skipped", () => {
  assert.equal(words.bidder(0), "Ann");
  assert.equal(words.bidder(1), "me");
});

test("the lowest bid on the last face is picked, or the recommended one", () => {
  table.pick();
  assert.deepEqual(desk.desk.picked, { face: 2, quantity: 2 });
  desk.desk.table.recommendation = { action: "1x3" };
  table.pick();
  assert.deepEqual(desk.desk.picked, { face: 3, quantity: 1 });
});

test("a palifico round is named on the table and in the words that are spoken", () => {
  const shown = () => table.atTable()[0].textContent;
  assert.doesNotMatch(shown(), /Palifico/);
  Object.assign(desk.desk.table, { palifico: true, history: [], my_dice: null, turn: "Ann" });
  assert.match(shown(), /^Palifico: no wilds, the face stays\./);
  assert.match(words.inWords({}), /Palifico: no wilds, the face stays\. Ann opens/);
});

test("a failed request is shown as an error and keeps the table", async () => {
  const heard = [];
  desk.screenParts.heard = (answer) => heard.push(answer);
  globalThis.fetch = async () => new Response("internal error\n", { status: 500 });
  await desk.say({ hear: "call" });
  assert.match(heard[0].error, /internal error/);
  assert.equal(heard[0].table.me, "me");
});

test("one request at a time is sent, below the secret of the page's address", async () => {
  const asked = [];
  desk.screenParts.heard = () => {};
  globalThis.fetch = async (address) => {
    asked.push(address);
    return Response.json({ error: null, table: null });
  };
  await Promise.all([desk.say({}), desk.say({})]);
  assert.deepEqual(asked, ["say"]);
});
