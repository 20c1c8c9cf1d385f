/*
 * Who sits at the table, with how many dice, by which rules: asked before there is one.
 */

const isChance = true;

const NAMES = ["Ann", "Bob", "Cy", "Di", "Eve"];

/** What has been chosen so far; the seats are in the order of play. */
const chosen = {
  seats: ["Ann", "Bob", page.me].map((name) => ({ name, dice: page.dice })),
  opens: 0,
  rules: page.preset,
};

/** A number with a button to either side; `key` keeps the focus where it is when all is drawn anew. */
function stepper(key, words, number, least, most, change) {
  const step = (sign, by, name) => element("button", {
    type: "button", "data-key": `${key}${sign}`, "aria-label": `${name} ${words}`, disabled: by < 0 ? number <= least : number >= most,
    onclick: () => change(number + by),
  }, sign);
  return element("span", { class: "stepper", role: "group", "aria-label": words },
    step("−", -1, "fewer"), element("output", { "aria-label": words }, String(number)), step("+", 1, "more"));
}

function setup() {
  const { seats } = chosen;
  const add = () => {
    const name = NAMES.find((one) => seats.every((seat) => seat.name !== one)) || `Player ${seats.length + 1}`;
    seats.push({ name, dice: page.dice });
    draw();
  };
  return [element("section", { class: "card", "aria-labelledby": "heading" },
    element("h2", { id: "heading", tabindex: "-1" }, "Who sits at the table?"),
    element("p", {}, "In the order of play."),
    element("ol", { class: "setting" }, seats.map(setting)),
    element("p", { class: "line" },
      element("button", { type: "button", "data-key": "add", disabled: seats.length >= page.seats, onclick: add }, "Add a seat")),
    element("p", { class: "line" }, element("label", { for: "preset" }, "Rules"),
      element("select", { id: "preset", "data-key": "preset", onchange: (event) => { chosen.rules = event.target.value; draw(); } },
        Object.keys(page.presets).map((name) => element("option", { value: name, selected: name === chosen.rules }, name))),
      element("span", { class: "about" }, page.presets[chosen.rules])),
    element("p", { class: "line" }, element("button", { type: "button", class: "main", "data-key": "begin", onclick: begin }, "Begin")))];
}

/** A seat: its name, its dice, who opens, and where it is. */
function setting(seat, place) {
  const { seats } = chosen;
  const isMe = seat.name === page.me;
  const up = () => {
    seats.splice(place - 1, 0, ...seats.splice(place, 1));
    chosen.opens = chosen.opens === place ? place - 1 : chosen.opens === place - 1 ? place : chosen.opens;
    draw();
  };
  const remove = () => {
    seats.splice(place, 1);
    chosen.opens = Math.min(chosen.opens > place ? chosen.opens - 1 : chosen.opens, seats.length - 1);
    draw();
  };
  return element("li", { class: `player${place + 1}` },
    element("input", {
      value: seat.name, "aria-label": `Name of seat ${place + 1}`, maxlength: "20", readonly: isMe, autocomplete: "off", "data-key": `name${place}`,
      oninput: (event) => { seat.name = event.target.value; }, // not drawn anew, or what is tapped next would be gone
    }),
    stepper(`dice${place}`, `dice of ${seat.name}`, seat.dice, 1, 20, (dice) => { seat.dice = dice; draw(); }),
    element("label", {}, element("input", {
      type: "radio", name: "opens", checked: chosen.opens === place, "data-key": `opens${place}`, onchange: () => { chosen.opens = place; },
    }), "opens"),
    element("span", { class: "line" },
      element("button", { type: "button", "aria-label": `${seat.name} a seat earlier`, "data-key": `up${place}`, disabled: place === 0, onclick: up }, "↑"),
      element("button", { type: "button", "aria-label": `${seat.name} leaves`, "data-key": `off${place}`, disabled: isMe || seats.length < 3, onclick: remove }, "×")));
}

function begin() {
  const { seats, opens, rules } = chosen;
  say({ begin: { names: seats.map((seat) => seat.name), dice: seats.map((seat) => seat.dice), rules, opens: seats[opens].name } });
}
