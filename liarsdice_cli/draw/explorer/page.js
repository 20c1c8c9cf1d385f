/*
 * The page around what is shown: keys, colours, and the address, from which everything follows.
 *
 * What the page's own scripts say: openSource(), before anything; draw(), what the address says; content(), of what is shown;
 * back(), onwards(), step(by) for the keys; OWN_KEYS, and typed(event) for what is no key by itself; prepareOwn().
 */

let shown = null;
const main = document.getElementById("main");
const root = document.documentElement;

function show(content) {
  main.replaceChildren(...content.filter(Boolean));
}

/** Another page of the same address: the same history, with other choices. */
function redraw() {
  show(content());
}

/** Keep the focus where it was while the page is drawn anew. */
function again(focused) {
  redraw();
  document.querySelector(focused)?.focus({ preventScroll: true });
}

function chooseView(view) {
  chosen.view = view;
  again(`#view-${view}`);
}

function chooseRow(row) {
  chosen.row = row;
  const beside = document.activeElement?.closest(".side:nth-child(2)") ? ".side:nth-child(2) " : "";
  again(`${beside}[data-row="${row}"]`);
}

/** Draw what the address says. */
async function arrive() {
  document.getElementById("address").textContent = location.href.slice(0, 200);
  await draw();
}

async function moved() {
  if (location.hash !== "#quiz") chosen.row = null;
  await arrive();
  document.getElementById("heading")?.focus({ preventScroll: true });
}

const KEYS = {
  ArrowLeft: () => shown && back(),
  ArrowRight: () => shown && onwards(),
  ArrowUp: () => shown && step(-1),
  ArrowDown: () => shown && step(1),
  Home: () => (location.hash = ""),
  s: () => shown && chooseView("strategy"),
  v: () => shown && chooseView("values"),
  m: () => shown && chooseView("mistakes"),
  "?": () => document.getElementById("keys").showModal(),
  ...OWN_KEYS,
};

function pressed(event) {
  if (document.getElementById("keys").open) return;
  const scrolls = event.target.closest?.(".scroll") && event.key.startsWith("Arrow") && event.target.scrollWidth > event.target.clientWidth;
  const held = event.ctrlKey || event.altKey || event.metaKey;
  if (!held && typed(event)) return;
  const chooses = event.target.matches?.("select") && event.key !== "?";
  if (held || scrolls || chooses) return;
  if (!Object.hasOwn(KEYS, event.key)) return;
  event.preventDefault();
  KEYS[event.key]();
}

function prepare() {
  document.getElementById("about").textContent = page.about;
  document.getElementById("rules").textContent = page.rules;
  document.getElementById("unit").append(element("b", {}, `${UNIT.column[0].toUpperCase()}${UNIT.column.slice(1)}. `), `${UNIT.values("who moves")}, if everybody then plays like this.`);
  document.getElementById("source").textContent = page.source;
  prepareOwn();
  document.getElementById("to-keys").addEventListener("click", KEYS["?"]);
  const fractions = document.getElementById("fractions");
  fractions.hidden = !page.fractions;
  fractions.addEventListener("click", () => {
    inFractions = !inFractions;
    fractions.setAttribute("aria-pressed", String(inFractions));
    redraw();
  });
  prepareTheme();
}

async function start() {
  prepare();
  try {
    await openSource();
    await arrive();
  } catch (error) {
    show([element("p", { class: "note", role: "alert" }, `The page cannot be shown: ${error.message}`)]);
    return;
  }
  window.addEventListener("hashchange", () => moved().catch((error) => show([element("p", { class: "note", role: "alert" }, error.message)])));
  document.addEventListener("keydown", pressed);
  root.dataset.ready = "";
}

start();
