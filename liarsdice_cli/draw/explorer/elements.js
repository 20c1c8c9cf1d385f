/*
 * Elements and numbers as they are shown. Text is always text: nothing here reads HTML.
 */

/** An element: attributes, `on...` listeners, `style` properties; children are elements or text, null is left out. */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [property, its] of Object.entries(value)) made.style.setProperty(property, its);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

const PIPS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, 1], [-1, 1], [1, -1]],
  5: [[-1, -1], [1, 1], [-1, 1], [1, -1], [0, 0]],
  6: [[-1, -1], [1, 1], [-1, 1], [1, -1], [-1, 0], [1, 0]],
};

function shape(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** One die: pips up to six, digits beyond, a question mark where it is hidden. */
function die(face) {
  const pips = (PIPS[face] || []).map(([x, y]) => shape("circle", { cx: 12 + 5.5 * x, cy: 12 + 5.5 * y, r: 2.2 }));
  const written = shape("text", { x: 12, y: 16.5, "text-anchor": "middle" }, String(face));
  const marks = pips.length ? pips : [written];
  return shape("svg", { viewBox: "0 0 24 24", class: "die", "aria-hidden": "true" },
    shape("rect", { x: 0.5, y: 0.5, width: 23, height: 23, rx: 5 }), ...marks);
}

/** The dice of a player, in the player's colour. */
function dice(faces, player) {
  return element("span", { class: `dice player${player + 1}` }, faces.map(die));
}

const player = (number) => element("b", { class: `player${number + 1}` }, playerName(number));
const rollName = (faces) => faces.join(" ");

/** The square in the colour of an action. */
function swatch(action) {
  return element("span", { class: "swatch", style: { background: colourOf(action)[0] }, "aria-hidden": "true" });
}

let inFractions = false;

/** The most characters of a number that is shown as a fraction. */
const LONGEST = 15;

/** A number as a fraction; null for a number that is shown in decimals. */
function fractionOf(number) {
  return inFractions && number instanceof Fraction && number.text.length <= LONGEST ? number.text : null;
}

function share(number) {
  if (number === null) return "–";
  const fraction = fractionOf(number);
  if (fraction && fraction.includes("/")) return fraction;
  const percent = number * 100;
  if (percent > 1e-5 && percent < 0.05) return "< 0.1 %";
  if (percent < 100 - 1e-5 && percent >= 99.95) return "> 99.9 %";
  return `${Number(percent.toFixed(1))} %`;
}

function payoff(number) {
  const fraction = fractionOf(number);
  if (fraction) return fraction;
  const rounded = Math.abs(number).toFixed(3);
  const short = Number.isInteger(Number(rounded)) ? String(Number(rounded)) : rounded;
  return number < 0 && short !== "0" ? `-${short}` : short;
}

/** What something is worth, in the page's unit; a dash where that is not known. */
const worth = (number) => (number === null ? "–" : isChance ? share(number) : payoff(number));

/** The largest cost that counts as nothing: if a strategy is only near an equilibrium, a thousandth of the payoff range is noise. */
const NOISE = page.fractions ? 0 : page.exact ? 5e-6 : 1e-3 * (MOST - LEAST);
const isNothing = (cost) => cost !== null && cost <= NOISE;

/** A cost in that unit: nothing is lost where rounding alone says so. */
function lost(cost) {
  if (cost === null) return "–";
  if (isNothing(cost) || (cost < 5e-6 && !fractionOf(cost))) return "0";
  if (isChance) return share(cost);
  return cost < 5e-4 && !fractionOf(cost) ? "< 0.001" : payoff(cost);
}
