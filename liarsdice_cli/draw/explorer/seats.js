/*
 * The table: a seat for every player, in the order of play, and between them what the betting is about.
 */

import { dicePage, nameOf, ONE, playerName, whole } from "./data.js";
import { button, byId, coloured, dice, element, hidden, playerClass } from "./elements.js";
import { minus, sum, times } from "./exact.js";
import { counted, rounded, share } from "./numerals.js";
import { isStill } from "./pace.js";
import { bidderBefore, isSpotOnPlayed, matches, moverAfter, odds, players, SPOT_ON, verbOf } from "./readings.js";

/**
 * A table; `first` sits at the bottom, the others clockwise; `seat(who)` is what stands at a seat, as element() takes it.
 * @param {number} first @param {(who: number) => SeatContent} seat @param {Content} middle
 */
export function tableOf(first, seat, middle) {
  const around = players.map((_, turn) => (first + turn) % players.length);
  const seats = around.map((who, turn) => {
    const angle = (2 * Math.PI * turn) / players.length;
    const { marks, content } = seat(who);
    return element("li", { class: `seat ${playerClass(who)} ${marks}`, style: { "--x": -Math.sin(angle), "--y": Math.cos(angle) } }, content);
  });
  return element("div", { class: `table of${players.length}` },
    element("div", { class: "middle" }, middle),
    element("ol", { "aria-label": "Seats, in the order of play" }, seats));
}

/**
 * The last bid of a player; null where they have made none.
 * @param {number[]} history @param {number} who
 */
const lastBidOf = (history, who) => history.findLast((_, at) => moverAfter(history.slice(0, at)) === who) ?? null;

/** @param {number} action */
export const tagged = (action) => element("span", { class: "tag" }, coloured(action));

/**
 * What a player has bid last, or that it is their turn.
 * @param {number[]} history @param {number} who @param {boolean} isTurn @param {string} verb
 */
export function turnOf(history, who, isTurn, verb) {
  const bid = lastBidOf(history, who);
  const bids = bid === null ? [element("span", {}, isTurn ? "" : "no bid yet")] : [hidden("bid "), tagged(bid)];
  return element("span", { class: "turn" }, bids, isTurn ? element("em", {}, `${bid === null ? "" : " "}${verb}`) : null);
}

/**
 * How many dice of a player count for the bid, by what is believed of them: a bar, parted by none, one, and so on.
 * @param {Reading} reading @param {number} who @param {number} bid
 */
function counting(reading, who, bid) {
  const chances = matches(reading, [who], bid);
  const most = dicePage.rolls[who][0].length;
  if (!chances) return element("span", { class: "counting" }, "never bids like this");
  const mean = sum(chances.map((chance, count) => times(chance, whole(count))));
  const words = most === 1 ? share(mean) : `${rounded(mean, 2)} of ${most}`;
  return element("span", { class: "counting" },
    element("span", { class: "counts", "aria-hidden": "true" },
      chances.map((chance, count) => element("span", { style: { "flex-grow": chance, "--part": count / most }, title: `${count} of ${most}: ${share(chance)}` }))),
    element("span", { class: "number" }, hidden(most === 1 ? "Probability that the die counts: " : "Dice that count, on average: "), words));
}

/** What lies on the table before the first bid. */
export const noBidYet = () => [element("span", {}, `${sum(dicePage.rolls.map((rolls) => rolls[0].length))} dice`), element("small", {}, "no bid yet")];

/**
 * The table after a history, with a way from each seat to what its player holds.
 * @param {Reading} reading @param {number | null} ending
 */
export function tableAfter(reading, ending) {
  const { history, mover } = reading;
  const bid = history.length ? history[history.length - 1] : null;
  const seat = (/** @type {number} */ who) => ({
    marks: who === mover ? "turns" : "",
    content: [
      button({ "data-seat": who, onclick: () => lookAt(who), "aria-label": `${playerName(who)}: go to what they hold` }, playerName(who)),
      dice(dicePage.rolls[who][0].map(() => "?"), who),
      hidden(`${counted(dicePage.rolls[who][0].length, "die", "dice")}; `),
      turnOf(history, who, who === mover, ending === null ? "moves" : verbOf(ending)),
      bid === null ? null : counting(reading, who, bid),
    ],
  });
  const chance = bid === null ? null : odds(reading);
  const inexactly = bid === null || !isSpotOnPlayed ? null : odds(reading, SPOT_ON);
  const exactly = inexactly === null ? "" : `, spot-on ${share(minus(ONE, inexactly))}`;
  const middle = bid === null
    ? noBidYet()
    : [tagged(bid), element("small", {}, `by ${playerName(bidderBefore(history))}`), chance === null ? null : element("small", {}, `true with ${share(chance)}${exactly}`)];
  const about = bid === null ? null : element("p", {}, `Bars: how many of each player’s dice count for ${nameOf(bid)}, given their bids; darker means more dice.`);
  return element("section", { class: "card seats", "aria-labelledby": "seats-title" },
    element("h3", { id: "seats-title" }, "The table"), about, tableOf(0, seat, middle));
}

/**
 * Bring into sight what a player holds: a card, or for who moves the table of rolls.
 * @param {number} who
 */
function lookAt(who) {
  const title = /** @type {HTMLElement | null} */ (document.querySelector(`#holds-${who}`)) || byId("rolls-title");
  title.scrollIntoView({ block: "start", behavior: isStill() ? "auto" : "smooth" });
  title.focus({ preventScroll: true });
}
