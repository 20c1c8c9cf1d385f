import assert from "node:assert/strict";
import { test } from "node:test";
import { Fraction, highest, isMore, minus, numberOf, over, plus, sum, times } from "../../liarsdice_cli/draw/explorer/exact.js";

const text = (number) => (number instanceof Fraction ? number.text : number);

test("fractions are read in the form in which Python writes them", () => {
  assert.equal(text(numberOf("1/3")), "1/3");
  assert.equal(text(numberOf("-2")), "-2");
  assert.equal(numberOf("0"), 0);
  assert.ok(Number.isNaN(numberOf("")));
  assert.equal(numberOf(0.25), 0.25);
});

test("arithmetic on fractions is exact, in lowest terms", () => {
  const [third, sixth] = [numberOf("1/3"), numberOf("1/6")];
  assert.equal(text(plus(third, sixth)), "1/2");
  assert.equal(text(minus(sixth, third)), "-1/6");
  assert.equal(text(times(third, sixth)), "1/18");
  assert.equal(text(over(third, sixth)), "2");
  assert.equal(minus(third, third), 0);
  assert.ok(Number.isNaN(over(third, 0)));
  assert.equal(text(sum([third, third, third])), "1");
});

test("a plain number makes the result plain, and never a fraction", () => {
  assert.equal(typeof plus(numberOf("1/3"), 0.5), "number");
});

test("fractions are compared exactly where floats are equal", () => {
  const [less, more] = [numberOf("10000000000000000/30000000000000001"), numberOf("1/3")];
  assert.equal(Number(less), Number(more));
  assert.ok(isMore(more, less));
  assert.equal(highest([less, more, less]), more);
});

test("a fraction of huge numbers has a finite value", () => {
  const huge = 10n ** 400n;
  assert.ok(Math.abs(Number(numberOf(`${huge}/${3n * huge}`)) - 1 / 3) < 1e-15);
});
