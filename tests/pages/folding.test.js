import assert from "node:assert/strict";
import { test } from "node:test";
import { below, childrenOf, depths, places } from "../../liarsdice_cli/draw/folding.js";

// a root with a leaf and a node of two leaves
const PARENTS = [-1, 0, 0, 2, 2];

test("a tree is known by the parents of its nodes", () => {
  const children = childrenOf(PARENTS);
  assert.deepEqual(children, [[1, 2], [], [3, 4], [], []]);
  assert.deepEqual(depths(PARENTS), [1, 2, 2, 3, 3]);
  assert.deepEqual(below(children, 0), [1, 2, 3, 4]);
});

test("every leaf has a row, and a node is in the middle of its children", () => {
  const { shown, rows, most } = places(PARENTS, new Set());
  assert.deepEqual(shown, [true, true, true, true, true]);
  assert.deepEqual(rows, [0.75, 0, 1.5, 1, 2]);
  assert.equal(most, 2);
});

test("a folded node takes the row of a leaf, and nothing below it shows", () => {
  const { shown, rows, most } = places(PARENTS, new Set([2]));
  assert.deepEqual(shown, [true, true, true, false, false]);
  assert.deepEqual(rows.slice(0, 3), [0.5, 0, 1]);
  assert.equal(most, 1);
});
