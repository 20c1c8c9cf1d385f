import assert from "node:assert/strict";
import { before, test } from "node:test";
import { openPage, twoSides } from "./page.js";

let elements;
let numerals;
let exact;

before(async () => {
  openPage("explorer/explorer.html", twoSides());
  elements = await import("../../liarsdice_cli/draw/explorer/elements.js");
  numerals = await import("../../liarsdice_cli/draw/explorer/numerals.js");
  exact = await import("../../liarsdice_cli/draw/explorer/exact.js");
});

test("text is never read as HTML", () => {
  const made = elements.element("p", { title: "<b>" }, "<img src=x>", [null, ["a", elements.element("b")]]);
  assert.equal(made.children.length, 1);
  assert.equal(made.textContent, "<img src=x>a");
});

test("attributes that are false or null are left out, and functions listen", () => {
  let clicks = 0;
  const made = elements.element("button", { hidden: false, disabled: null, "aria-label": "x", autofocus: true, onclick: () => clicks++ });
  made.click();
  assert.deepEqual(made.getAttributeNames(), ["aria-label", "autofocus"]);
  assert.equal(clicks, 1);
});

test("a die shows pips up to six, and a numeral beyond", () => {
  assert.equal(elements.die(5).querySelectorAll("circle").length, 5);
  assert.equal(elements.die(7).querySelector("text").textContent, "7");
  assert.equal(elements.die("?").querySelectorAll("circle").length, 0);
});

test("probabilities keep one decimal, and are never rounded to 0 or 100 %", () => {
  assert.deepEqual([0, 0.0001, 0.5, 1 / 3, 0.9999, 1].map(numerals.share), ["0 %", "< 0.1 %", "50 %", "33.3 %", "> 99.9 %", "100 %"]);
  assert.equal(numerals.share(null), "–");
});

test("in fractions, certain and impossible events are 1 and 0", () => {
  numerals.numerals.inFractions = true;
  try {
    assert.deepEqual(["0", "1/3", "1"].map((written) => numerals.share(exact.numberOf(written))), ["0", "1/3", "1"]);
  } finally {
    numerals.numerals.inFractions = false;
  }
});

test("every probability that counts as positive is shown as positive", () => {
  assert.deepEqual([1e-12, 2e-9].map((chance) => [numerals.isPositive(chance), numerals.share(chance)]), [[false, "0 %"], [true, "< 0.1 %"]]);
  const rare = exact.numberOf(`1/1${"0".repeat(12)}`);
  assert.deepEqual([numerals.isPositive(rare), numerals.share(rare)], [true, "< 0.1 %"]);
});

test("a sum of costs counts rounds, and is never above 100 %", () => {
  assert.deepEqual([0, 0.001, 1 / 3, 1, 2.369].map(numerals.lostInAll), ["0", "< 0.01 rounds", "0.33 rounds", "1 round", "2.37 rounds"]);
});
