/*
 * A drawn game as a page: zoom, fold what is below a node, and show the nodes of an information set together.
 * Without this script the picture stands there as it is. All panels have the same form and are folded together.
 */

import { below, childrenOf, depths, places } from "./folding.js";

/**
 * Return the one element that a selector names; it is on every page of this kind.
 * @template {Element} E @param {string} selector @param {new () => E} kind @returns {E}
 */
function only(selector, kind) {
  const found = document.querySelector(selector);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${selector}`);
}

const svg = only("svg", SVGSVGElement);
const paper = only("#paper", HTMLElement);
const read = only("#read", HTMLElement);
const scaleShown = only("#scale", HTMLElement);
/** The nodes of a drawn tree; any other picture has none. @type {Frame} */
const frame = JSON.parse(only("#frame", HTMLElement).textContent)
  ?? { parents: [], titles: [], groups: [], reached: [], across: 1, pad: 0, step: 0, top: 0, gap: 0, fork: 0, turn: 0 };
const { parents } = frame;
const isTree = parents.length > 0;
const size = { width: svg.viewBox.baseVal.width, height: svg.viewBox.baseVal.height };
const still = read.textContent;

/* Zoom */

const LEAST = 0.1;
const READABLE = 0.6;
const LONG = 2400; // pixels, above which what is never played begins folded
let scale = 1;

function fitting() {
  return paper.clientWidth / size.width;
}

/**
 * Show the picture at a scale; what was in the middle stays there.
 * @param {number} to
 */
function zoom(to) {
  const before = scale;
  scale = Math.min(8, Math.max(LEAST, to));
  const middle = [paper.scrollLeft + paper.clientWidth / 2, paper.scrollTop + paper.clientHeight / 2];
  resize();
  paper.scrollLeft = (middle[0] * scale) / before - paper.clientWidth / 2;
  paper.scrollTop = (middle[1] * scale) / before - paper.clientHeight / 2;
  scaleShown.textContent = `${Math.round(100 * scale)} %`;
}

function resize() {
  svg.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
  svg.setAttribute("width", String(size.width * scale));
  svg.setAttribute("height", String(size.height * scale));
}

/** @type {Record<string, () => void>} */
const zooms = { out: () => zoom(scale / 1.25), in: () => zoom(scale * 1.25), fit: () => zoom(fitting()), full: () => zoom(1) };

/* The tree: where everything stands, and what is folded */

const panels = isTree ? frame.titles.length / parents.length : 0;
const children = childrenOf(parents);
const depth = depths(parents);
const inner = parents.map((_, place) => place).filter((place) => parents[place] >= 0 && children[place].length);
const folded = new Set();
const all = only("#all", HTMLElement);
/** The drawn nodes, and what belongs to each: its group, the branch into it, the links from it. @type {Map<number, NodePart>} */
const parts = new Map();
for (const one of /** @type {NodeListOf<SVGElement>} */ (svg.querySelectorAll("[data-n]"))) {
  const owner = Number(one.dataset.n);
  const own = parts.get(owner) ?? { groups: [], links: [] };
  parts.set(owner, own);
  if (one.dataset.kind === "link") own.links.push({ shape: one, from: (one.getAttribute("d")?.match(/-?[\d.]+/g) ?? []).map(Number) });
  else own.groups.push(one);
  if (one.dataset.kind === "node") own.node = one;
  const line = one.dataset.kind === "branch" && parents[owner % parents.length] >= 0 ? one.querySelector("path") : null;
  const ends = line?.getAttribute("d")?.match(/^M(-?[\d.]+).*H(-?[\d.]+)$/);
  if (line && ends) own.branch = { line, x: Number(ends[1]), end: Number(ends[2]) };
}
/** The groups of the nodes by node, in prefix order. */
const nodes = new Map([...parts].sort(([one], [other]) => one - other).flatMap(([owner, { node }]) => (node ? [[owner, node]] : [])));
const order = [...nodes.keys()];
const original = places(parents, new Set());

/** @param {Places} now */
function panelHeight(now) {
  return 2 * frame.pad + now.most * frame.step;
}

/** @param {number} owner @param {Places} now */
function height(owner, now) {
  const down = Math.floor(Math.floor(owner / parents.length) / frame.across);
  return frame.top + down * (panelHeight(now) + frame.gap) + frame.pad + now.rows[owner % parents.length] * frame.step;
}

/** Put everything where it stands now. */
function settle() {
  const now = places(parents, folded);
  const moved = (/** @type {number} */ owner) => height(owner, now) - height(owner, original);
  for (const [owner, own] of parts) {
    const place = owner % parents.length;
    const shows = now.shown[place];
    for (const group of own.groups) {
      group.toggleAttribute("hidden", !shows);
      group.setAttribute("transform", `translate(0 ${moved(owner)})`);
    }
    if (own.branch && shows) {
      const { line, x, end } = own.branch;
      const above = height(owner - place + parents[place], now) - moved(owner);
      const to = height(owner, now) - moved(owner);
      const [bend, fork] = [x + frame.fork / 2, x + frame.fork];
      line.setAttribute("d", `M${x} ${above}C${bend} ${above} ${bend} ${to} ${fork} ${to}H${end}`);
    }
    if (own.node && children[place].length) {
      own.node.setAttribute("aria-expanded", String(!folded.has(place)));
      label(owner, own.node, shows && folded.has(place));
    }
  }
  link(now);
  all.textContent = folded.size ? "Unfold all" : "Fold all";
  const rows = Math.ceil(panels / frame.across);
  size.height = Number(svg.dataset.height) - rows * (panelHeight(original) - panelHeight(now));
  resize();
}

/**
 * Write behind a folded node how many nodes follow it.
 * @param {number} owner @param {SVGElement} node @param {boolean} closed
 */
function label(owner, node, closed) {
  node.querySelector(".more")?.remove();
  node.setAttribute("aria-label", frame.titles[owner]);
  if (!closed) return;
  const start = owner - (owner % parents.length);
  const child = children[owner % parents.length].map((place) => parts.get(start + place)).find((part) => part?.branch);
  const more = document.createElementNS("http://www.w3.org/2000/svg", "text");
  more.setAttribute("class", "more");
  more.setAttribute("x", String((child?.branch?.x ?? 0) + 12));
  more.setAttribute("y", String(height(owner, original) + 3.5));
  more.textContent = `+${followers(owner)}`;
  node.setAttribute("aria-label", `${frame.titles[owner]}, folded: ${more.textContent}`);
  node.append(more);
}

/**
 * Return the number of drawn nodes below a node.
 * @param {number} owner
 */
function followers(owner) {
  const start = owner - (owner % parents.length);
  return below(children, owner - start).filter((place) => parts.has(start + place)).length;
}

/**
 * Join every node that shows to the next one of its set that does.
 * @param {Places} now
 */
function link(now) {
  for (const [owner, own] of parts) {
    for (const one of own.links) {
      const start = owner - (owner % parents.length);
      const below = order.filter((other) => other >= start && other < start + parents.length && now.shown[other - start]
        && frame.groups[other] === frame.groups[owner] && now.rows[other - start] > now.rows[owner - start]);
      const next = below.sort((a, b) => now.rows[a - start] - now.rows[b - start])[0];
      const shows = next !== undefined && now.shown[owner - start];
      one.shape.toggleAttribute("hidden", !shows);
      if (!shows) continue;
      const [x, lane, to] = [one.from[0], one.from.length > 4 ? one.from[2] : null, one.from[one.from.length - 2]];
      const [y, end] = [height(owner, now), height(next, now)];
      const turn = frame.turn;
      const way = lane === null ? "" : `L${lane} ${y + turn}V${end - turn}`;
      one.shape.setAttribute("d", `M${x} ${y}${way}L${to} ${end}`);
    }
  }
}

/** @param {number} owner @param {boolean} [close] */
function fold(owner, close = !folded.has(owner % parents.length)) {
  const place = owner % parents.length;
  if (!children[place].length) return;
  folded[close ? "add" : "delete"](place);
  settle();
  tell(owner);
}

/* What is under the pointer or has the focus */

/** @param {number | null} owner */
function lightUp(owner) {
  const group = owner === null ? "" : frame.groups[owner];
  const way = new Set();
  if (owner !== null) for (let place = owner % parents.length; place >= 0; place = parents[place]) way.add(owner - (owner % parents.length) + place);
  for (const [other, own] of parts) {
    own.node?.classList.toggle("same", other === owner || (group !== "" && frame.groups[other] === group));
    for (const one of own.groups) one.classList.toggle("way", way.has(other));
  }
}

/** @param {number | null} owner @returns {void} */
function tell(owner) {
  lightUp(owner);
  if (owner === null) {
    read.textContent = still;
    return;
  }
  const group = frame.groups[owner];
  const same = group === "" ? 0 : order.filter((other) => frame.groups[other] === group).length;
  const set = same > 1 ? ` · ${same} nodes are in this information set` : "";
  const closed = folded.has(owner % parents.length) ? " · folded" : "";
  read.textContent = frame.titles[owner] + set + closed;
}

/** @param {number} owner */
function focus(owner) {
  for (const [other, node] of nodes) node.setAttribute("tabindex", other === owner ? "0" : "-1");
  nodes.get(owner)?.focus();
}

/** @param {EventTarget | null} target */
function ownerOf(target) {
  const group = target instanceof Element ? /** @type {SVGElement | null} */ (target.closest("[data-n]")) : null;
  return group && group.dataset.kind !== "link" ? Number(group.dataset.n) : null;
}

/**
 * Where a key leads from a node: as in any tree on a screen.
 * @param {number} owner @param {string} key @returns {number | void}
 */
function step(owner, key) {
  const place = owner % parents.length;
  const start = owner - place;
  const shown = [...nodes].filter(([, node]) => !node.hasAttribute("hidden")).map(([other]) => other);
  const at = shown.indexOf(owner);
  const open = children[place].length && !folded.has(place);
  const below = children[place].map((child) => start + child).find((child) => nodes.has(child));
  if (key === "ArrowDown") return shown[at + 1];
  if (key === "ArrowUp") return shown[at - 1];
  if (key === "Home") return shown[0];
  if (key === "End") return shown[shown.length - 1];
  if (key === "ArrowRight") return open ? below : void fold(owner, false);
  if (key === "ArrowLeft") return open ? void fold(owner, true) : parents[place] >= 0 ? start + parents[place] : undefined;
  return undefined;
}

function begin() {
  svg.dataset.height = String(size.height);
  svg.removeAttribute("role");
  const tree = only("#tree", SVGElement);
  tree.setAttribute("role", "tree");
  tree.setAttribute("aria-label", document.title);
  for (const [owner, node] of nodes) {
    const place = owner % parents.length;
    node.setAttribute("role", "treeitem");
    node.setAttribute("aria-label", frame.titles[owner]);
    node.setAttribute("aria-level", String(depth[place]));
    node.setAttribute("tabindex", owner === order[0] ? "0" : "-1");
    node.classList.toggle("inner", children[place].length > 0);
    if (children[place].length) node.setAttribute("aria-expanded", "true");
  }
  for (const { node, groups, links } of parts.values()) {
    for (const one of [...groups, ...links.map((each) => each.shape)]) if (one !== node) one.setAttribute("aria-hidden", "true");
  }
  svg.addEventListener("pointerover", (event) => tell(ownerOf(event.target)));
  svg.addEventListener("pointerleave", () => tell(ownerOf(document.activeElement)));
  svg.addEventListener("focusin", (event) => tell(ownerOf(event.target)));
  svg.addEventListener("focusout", () => tell(null));
  svg.addEventListener("click", (event) => {
    const owner = ownerOf(event.target);
    if (owner === null || !nodes.has(owner)) return;
    fold(owner);
    focus(owner);
  });
  svg.addEventListener("keydown", (event) => {
    const owner = ownerOf(event.target);
    if (owner === null || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") fold(owner);
    else if (["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) {
      const next = step(owner, event.key);
      if (typeof next === "number" && nodes.has(next)) focus(next);
    } else return;
    event.preventDefault();
  });
  all.hidden = false;
  all.addEventListener("click", () => {
    const close = folded.size === 0;
    folded.clear();
    if (close) for (const place of inner) folded.add(place);
    settle();
  });
  if (size.height > LONG) for (const place of inner) if (!isPlayed(place)) folded.add(place);
  settle();
}

/**
 * Whether play comes to a node in one of the panels.
 * @param {number} place
 */
function isPlayed(place) {
  return Array.from({ length: panels }, (_none, panel) => frame.reached[panel * parents.length + place]).some(Boolean);
}

for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-zoom]"))) button.addEventListener("click", zooms[button.dataset.zoom ?? ""]);
paper.addEventListener(
  "wheel",
  (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoom(scale * (event.deltaY < 0 ? 1.1 : 1 / 1.1));
  },
  { passive: false },
);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const asked = { "+": "in", "-": "out", 0: "fit", 1: "full" }[event.key];
  if (asked) zooms[asked]();
});
document.documentElement.classList.add("live");
if (isTree) begin();
zoom(Math.min(1, Math.max(READABLE, fitting())));
paper.scrollTo(0, 0);
document.documentElement.dataset.ready = "";
