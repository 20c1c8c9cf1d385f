/*
 * A bid in two taps: a quantity and a face, in any order. The second of them makes the bid.
 */

import { button, element } from "../explorer/elements.js";
import { desk, say, screenParts, table, tell } from "./desk.js";
import { diceOf, faceButtons } from "./parts.js";
import { isBid, last, numbers } from "./words.js";

/** @returns {[number, number][]} */
const possible = () => table().bids.map(numbers);
/** @param {number | null} quantity @param {number | null} face */
const canBid = (quantity, face) => possible().some((bid) => (quantity === null || bid[0] === quantity) && (face === null || bid[1] === face));

export function unmark() {
  desk.picked = { face: null, quantity: null };
}

/** The two rows; nothing if no bid is left. */
export function bidRows() {
  const { bids, rules } = table();
  if (!bids.length) return null;
  const { face, quantity } = desk.picked;
  const quantities = [...new Set(possible().map((bid) => bid[0]))].sort((one, other) => one - other);
  return [
    element("div", { class: "quantities", role: "group", "aria-label": "How many" }, quantities.map((one) =>
      button({
        "data-key": `quantity${one}`, "aria-label": diceOf(one), "aria-pressed": String(one === quantity),
        disabled: !canBid(one, quantity === null ? face : null), onclick: () => tap({ ...desk.picked, quantity: one }),
      }, String(one)))),
    faceButtons("Which face", rules.sides, (one) => tap({ ...desk.picked, face: one }), face ?? 0, (one) => canBid(face === null ? quantity : null, one)),
  ];
}

/**
 * Mark a part of a bid; make the bid once it has both.
 * @param {Desk["picked"]} marked
 */
function tap({ quantity, face }) {
  if (quantity !== null && face !== null && canBid(quantity, face)) {
    say({ hear: `${quantity}x${face}` });
    return;
  }
  const isQuantity = quantity !== desk.picked.quantity;
  desk.picked = quantity === null || face === null ? { quantity, face } : isQuantity ? { quantity, face: null } : { quantity: null, face };
  tell(desk.picked.face === null ? `${diceOf(Number(desk.picked.quantity))}: which face?` : `${desk.picked.face}: how many?`);
  screenParts.draw();
}

/* With keys both parts are marked, and another key makes the bid. */

/** @param {number} face */
export function markFace(face) {
  const fitting = possible().filter((bid) => bid[1] === face);
  if (fitting.length) mark(fitting.find((bid) => bid[0] === desk.picked.quantity) ?? fitting[0]);
}

/** @param {number} more */
export function markMore(more) {
  const { face, quantity } = desk.picked;
  if (face === null || quantity === null) mark(first());
  else if (canBid(quantity + more, face)) mark([quantity + more, face]);
}

export function sayMarked() {
  const { face, quantity } = desk.picked;
  if (!table().bids.length) return;
  if (face === null || quantity === null) mark(first());
  else say({ hear: `${quantity}x${face}` });
}

/** What is marked at first: the recommended bid, or the lowest on the face that is marked or that was bid last. */
function first() {
  const { bids, recommendation } = table();
  if (desk.picked.face === null && recommendation && isBid(recommendation.action)) return numbers(recommendation.action);
  const before = last();
  const face = desk.picked.face ?? (before ? numbers(before)[1] : null);
  return possible().find((bid) => bid[1] === face) ?? numbers(bids[0]);
}

/** @param {[number, number]} bid */
function mark([quantity, face]) {
  desk.picked = { quantity, face };
  tell(`${quantity}x${face}`);
  screenParts.draw();
}
