import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, beforeEach, test } from "node:test";
import { openPage } from "./page.js";

const TABLE = {
  me: "me", title: "common rules", rules: { sides: 6 }, spot_on: false, round: 1, palifico: false, opener: "Ann", turn: "me", history: ["1x2"],
  players: [{ name: "Ann", dice: 1 }, { name: "Bob", dice: 0 }, { name: "me", dice: 2 }],
  bids: ["1x3", "2x2", "2x3"], my_dice: [2, 3], called: false, ended_by: null, between: [], loser: null, gainer: null, spot_on_gains: false, spot_on_by: "next", over: false,
  move: null, recommendation: null,
};
const SENTENCES = JSON.parse(readFileSync(new URL("../../liarsdice_cli/draw/coach/sentences.json", import.meta.url), "utf-8"));
const PARTS = '<main id="main"></main><p id="said"></p><p id="told"></p><p id="lost"></p>';
let bidding;
let desk;
let table;
let words;

before(async () => {
  openPage("coach/coach.html", { payoffs: [0, 1], exact: false, fractions: false, isChance: true, presets: {}, sentences: SENTENCES });
  const connection = await import("../../liarsdice_cli/draw/explorer/connection.js");
  bidding = await import("../../liarsdice_cli/draw/coach/bidding.js");
  desk = await import("../../liarsdice_cli/draw/coach/desk.js");
  table = await import("../../liarsdice_cli/draw/coach/table.js");
  words = await import("../../liarsdice_cli/draw/coach/words.js");
  globalThis.addEventListener ??= document.defaultView.addEventListener.bind(document.defaultView);
  globalThis.dispatchEvent ??= document.defaultView.dispatchEvent.bind(document.defaultView);
  globalThis.Event = document.defaultView.Event;
  Object.defineProperty(document, "hidden", { value: false });
  connection.prepareConnection();
});

beforeEach(() => {
  desk.desk.table = structuredClone(TABLE);
  desk.desk.isBusy = false;
  bidding.unmark();
  document.body.innerHTML = PARTS;
});

test("a player without dice is skipped", () => {
  assert.equal(words.bidder(0), "Ann");
  assert.equal(words.bidder(1), "me");
});

/** The button of the card whose key this is. */
const tapped = (key) => {
  document.body.replaceChildren(...table.atTable());
  document.querySelector(`[data-key="${key}"]`).click();
};

test("a quantity and a face make a bid, in two taps and in any order", () => {
  const said = [];
  globalThis.fetch = async (_, { body }) => {
    said.push(JSON.parse(body).hear);
    return Response.json({ error: null, table: null });
  };
  Object.assign(desk.screenParts, { draw: () => {}, heard: () => {} });
  for (const [first, second] of [["quantity2", "face3"], ["face3", "quantity1"]]) {
    bidding.unmark();
    desk.desk.isBusy = false;
    document.body.innerHTML = PARTS;
    const before = said.length;
    tapped(first);
    assert.equal(said.length, before);
    document.body.replaceChildren(...table.atTable());
    document.body.insertAdjacentHTML("beforeend", PARTS);
    document.querySelector(`[data-key="${second}"]`).click();
  }
  assert.deepEqual(said, ["2x3", "1x3"]);
});

test("what fits no bid that is left cannot be tapped", () => {
  const disabled = () => [...document.querySelectorAll(".asked [disabled]")].map((one) => one.dataset.key);
  document.body.replaceChildren(...table.atTable());
  assert.deepEqual(disabled(), ["face1", "face4", "face5", "face6"]);
  desk.desk.picked = { quantity: 1, face: null };
  document.body.replaceChildren(...table.atTable());
  assert.deepEqual(disabled(), ["face1", "face2", "face4", "face5", "face6"]);
  desk.desk.picked = { quantity: null, face: 2 };
  document.body.replaceChildren(...table.atTable());
  assert.deepEqual(disabled(), ["quantity1", "face1", "face4", "face5", "face6"]);
});

test("with keys the recommended bid is marked first, or the lowest on the last face", () => {
  bidding.markMore(1);
  assert.deepEqual(desk.desk.picked, { quantity: 2, face: 2 });
  bidding.unmark();
  desk.desk.table.recommendation = { action: "1x3" };
  bidding.sayMarked();
  assert.deepEqual(desk.desk.picked, { quantity: 1, face: 3 });
  bidding.markMore(1);
  assert.deepEqual(desk.desk.picked, { quantity: 2, face: 3 });
  bidding.markFace(2);
  assert.deepEqual(desk.desk.picked, { quantity: 2, face: 2 });
});

test("where any player may say spot-on, those out of turn have a button, but not the bidder", () => {
  const shown = () => [...document.querySelectorAll("[data-key^=claim]")].map((one) => one.dataset.key);
  Object.assign(desk.desk.table, { spot_on: true, players: [{ name: "Ann", dice: 1 }, { name: "Bob", dice: 2 }, { name: "Cy", dice: 0 }, { name: "me", dice: 2 }], turn: "Bob" });
  document.body.replaceChildren(...table.atTable());
  assert.deepEqual(shown(), []);
  desk.desk.table.spot_on_by = "any";
  document.body.replaceChildren(...table.atTable());
  assert.deepEqual(shown(), ["claim-me"]);
});

test("after a claim that can win back a die it is asked whether it was right", () => {
  Object.assign(desk.desk.table, { spot_on: true, spot_on_gains: true, called: true, ended_by: "spot-on", between: ["Ann", "me"], turn: null, players: [{ name: "Ann", dice: 1 }, { name: "Bob", dice: 2 }, { name: "me", dice: 2 }] });
  document.body.replaceChildren(...table.atTable());
  const texts = [...document.querySelectorAll(".asked button")].map((one) => one.textContent);
  assert.deepEqual(texts, ["Yes: You win a die back", "No: You lose a die"]);
  assert.match(words.inWords({ claim: "me" }), /You say that 1x2 is spot-on\. Was the bid exact\?/);
  assert.equal([...document.querySelectorAll(".made li")].at(-1).textContent, "me spot-on");
  desk.desk.table.gainer = "me";
  document.body.replaceChildren(...table.atTable());
  assert.equal(document.getElementById("heading").textContent, "You were right");
});

test("shares are said in whole percent, and never as certain if they are not", () => {
  assert.deepEqual([0, 0.001, 0.018, 0.952, 0.999, 1, null].map(words.roughly), ["0 %", "under 1 %", "2 %", "95 %", "over 99 %", "100 %", "–"]);
});

test("a palifico round is named on the table and in the words that are spoken", () => {
  const shown = () => table.atTable()[0].textContent;
  assert.doesNotMatch(shown(), /Palifico/);
  Object.assign(desk.desk.table, { palifico: true, history: [], my_dice: null, turn: "Ann" });
  assert.match(shown(), /^Palifico: no wild face, and a fixed face\./);
  assert.match(words.inWords({}), /Ann opens\. Palifico: no wild face, and a fixed face\./);
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

test("without a network the page says so, and sends the same request again until it is answered", async () => {
  const sent = [];
  const notes = [];
  desk.desk.version = 7;
  desk.screenParts.heard = () => {};
  globalThis.fetch = async (_, { body }) => {
    sent.push(JSON.parse(body));
    notes.push(document.getElementById("lost").textContent);
    if (sent.length < 3) throw new TypeError("no network");
    return Response.json({ error: null, table: null });
  };
  const saying = desk.say({ hear: "call" });
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((done) => setTimeout(done, 5));
    window.dispatchEvent(new Event("online"));
  }
  await saying;
  assert.equal(sent.length, 3);
  assert.equal(new Set(sent.map((one) => one.id)).size, 1);
  assert.ok(sent[0].id.length > 10);
  assert.deepEqual(sent.map((one) => one.at), [7, 7, 7]);
  assert.match(notes[2], /No connection to the program/);
  assert.equal(document.getElementById("lost").textContent, "Connected again.");
});

test("a request that a sleeping phone has lost is sent again when it wakes", async () => {
  let tries = 0;
  desk.screenParts.heard = () => {};
  globalThis.fetch = (_, { signal }) => {
    if (++tries > 1) return Promise.resolve(Response.json({ error: null, table: null }));
    return new Promise((_, lost) => signal.addEventListener("abort", () => lost(signal.reason)));
  };
  const saying = desk.say({ hear: "call" });
  await new Promise((done) => setTimeout(done, 5));
  document.dispatchEvent(new document.defaultView.Event("visibilitychange"));
  await saying;
  assert.equal(tries, 2);
});
