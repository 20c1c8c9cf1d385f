/*
 * Who sits at the table, with how many dice, by which rules: asked before there is one.
 */

import { coachPage } from "../explorer/data.js";
import { button, element, options, playerClass } from "../explorer/elements.js";
import { desk, say, screenParts, tell } from "./desk.js";
import { diceOf, line, mainButton, sometimes, stepper } from "./parts.js";

const NAMES = ["Ann", "Bob", "Cy", "Di", "Eve", "Flo", "Gus", "Hal", "Ida"];

let seated = 0;

/**
 * A seat; by its number the focus follows it where it goes.
 * @param {string} name
 */
const seatFor = (name) => ({ name, dice: coachPage.dice, number: ++seated });

/** What has been chosen so far; the seats are in the order of play. */
const chosen = {
  seats: ["Ann", "Bob", coachPage.me].map(seatFor),
  opens: 0,
  rules: coachPage.preset,
  spotOn: false,
  byAny: false,
  gains: false,
};

export function setup() {
  const { seats } = chosen;
  const add = () => {
    const name = NAMES.find((one) => seats.every((seat) => seat.name !== one)) || `Player ${seats.length + 1}`;
    seats.push(seatFor(name));
    tell(`${name} sits down.`);
    screenParts.draw();
  };
  return [element("section", { class: "card", "aria-labelledby": "heading" },
    element("h2", { id: "heading", tabindex: "-1" }, "Who sits at the table?"),
    desk.left === null ? null : line(mainButton("back", "Back to the table", () => say({ back: true })), element("span", { class: "about" }, desk.left)),
    element("p", {}, "In the order of play."),
    element("ol", { class: "setting" }, seats.map(setting)),
    line(button({ "data-key": "add", ...sometimes(seats.length < coachPage.seats, add) }, "Add a seat")),
    line(element("label", { for: "preset" }, "Rules"),
      element("select", { id: "preset", "data-key": "preset", onchange: (event) => chooseRules(event.target.value) },
        options(Object.keys(coachPage.presets).map((name) => [name, name]), chosen.rules)),
      element("span", { class: "about" }, coachPage.presets[chosen.rules])),
    option("spotOn", "spot-on: the next player may claim that a bid is exact"),
    chosen.spotOn ? [option("byAny", "any other player may claim it, too"), option("gains", "a right claim wins a die back")] : null,
    line(mainButton("begin", "Begin", begin)))];
}

/**
 * A rule to choose or not; it may bring others, so all is drawn anew.
 * @param {"spotOn" | "byAny" | "gains"} name @param {string} words
 */
function option(name, words) {
  const change = (/** @type {{ target: HTMLInputElement }} */ event) => {
    chosen[name] = event.target.checked;
    screenParts.draw();
  };
  return line(element("label", {}, element("input", { type: "checkbox", checked: chosen[name], "data-key": name, onchange: change }), words));
}

/** @param {string} name */
function chooseRules(name) {
  chosen.rules = name;
  tell(coachPage.presets[name]);
  screenParts.draw();
}

/**
 * A seat: its name, its dice, who opens, and where it is.
 * @param {Seat} seat @param {number} place
 */
function setting(seat, place) {
  const { seats } = chosen;
  const isMe = seat.name === coachPage.me;
  const up = () => {
    seats.splice(place - 1, 0, ...seats.splice(place, 1));
    chosen.opens = chosen.opens === place ? place - 1 : chosen.opens === place - 1 ? place : chosen.opens;
    tell(`${seat.name} has seat ${place}.`);
    screenParts.draw();
  };
  const remove = () => {
    seats.splice(place, 1);
    chosen.opens = Math.min(chosen.opens > place ? chosen.opens - 1 : chosen.opens, seats.length - 1);
    tell(`${seat.name} leaves.`);
    screenParts.draw();
  };
  const take = (/** @type {number} */ number) => {
    seat.dice = number;
    tell(`${seat.name}: ${diceOf(number)}.`);
    screenParts.draw();
  };
  const key = (/** @type {string} */ what) => `${what}${seat.number}`;
  return element("li", { class: playerClass(place) },
    element("input", {
      value: seat.name, "aria-label": `Name of seat ${place + 1}`, maxlength: "20", readonly: isMe, autocomplete: "off", "data-key": key("name"),
      oninput: (event) => rename(seat, place, event.target),
    }),
    stepper(key("dice"), `dice of ${seat.name}`, seat.dice, 1, 20, take, diceOf(seat.dice)),
    element("label", {}, element("input", {
      type: "radio", name: "opens", "aria-label": `${seat.name} opens`, checked: chosen.opens === place, "data-key": key("opens"),
      onchange: () => { chosen.opens = place; },
    }), "opens"),
    element("span", { class: "line" },
      button({ "aria-label": `${seat.name} a seat earlier`, title: "Move one seat up", "data-key": key("up"), ...sometimes(place > 0, up) }, "↑"),
      button({ "aria-label": `${seat.name} leaves`, title: "Remove this seat", "data-key": key("off"), ...sometimes(!isMe && seats.length > 2, remove) }, "×")));
}

/**
 * Give a seat another name, in the names of its buttons too; it is not drawn anew, or what is tapped next would be gone.
 * @param {Seat} seat @param {number} place @param {HTMLInputElement} input
 */
function rename(seat, place, input) {
  seat.name = input.value;
  const renamed = [...setting(seat, place).querySelectorAll("[aria-label]")].map((one) => one.getAttribute("aria-label") ?? "");
  input.closest("li")?.querySelectorAll("[aria-label]").forEach((one, at) => {
    one.setAttribute("aria-label", renamed[at]);
  });
}

function begin() {
  const { seats, opens, rules, spotOn, byAny, gains } = chosen;
  say({ begin: { names: seats.map((seat) => seat.name), dice: seats.map((seat) => seat.dice), rules, spot_on: spotOn, by_any: byAny, gains, opens: seats[opens].name } });
}
