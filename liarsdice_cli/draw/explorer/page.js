/*
 * The address says what is shown: #1x2,2x3, #1x2,call or #quiz. Everything else follows from it.
 */

let source = null;
let shown = null;
const main = document.getElementById("main");
const root = document.documentElement;

/** What an address says: a history, or two parted by a semicolon; null where there is none of them. */
function fromAddress(hash) {
  const [one, other, ...more] = decodeURIComponent(hash.slice(1)).split(";").map(historyIn);
  if (!one || more.length || other === null || (other && (one.isCalled || other.isCalled))) return null;
  return { ...one, beside: other ? other.history : null };
}

function historyIn(words) {
  const names = words.split(",").filter(Boolean);
  const isCalled = names[names.length - 1] === "call";
  const history = (isCalled ? names.slice(0, -1) : names).map((name) => page.bids.indexOf(name));
  const rises = history.every((bid, at) => bid >= 0 && actionsAfter(history.slice(0, at)).includes(bid));
  const fits = history.length <= page.depth && (!isCalled || history.length > 0);
  return rises && fits ? { history, isCalled } : null;
}

function show(content) {
  main.replaceChildren(...content.filter(Boolean));
}

/** Draw what the address says. */
async function draw() {
  const isQuiz = location.hash === "#quiz";
  root.classList.toggle("in-quiz", isQuiz);
  document.getElementById("address").textContent = location.href.slice(0, 200);
  if (isQuiz) {
    shown = null;
    document.getElementById("path").replaceChildren();
    return ask();
  }
  let asked = null;
  try {
    asked = fromAddress(location.hash);
  } catch {
    asked = null; // no address that can be decoded
  }
  const { history, isCalled, beside } = asked || { history: [], isCalled: false, beside: null };
  const reading = await source(history);
  shown = { reading, isCalled, beside: beside && (await source(beside)) };
  document.getElementById("path").replaceChildren(...(beside ? [] : [crumbs(history, isCalled)]));
  const warning = asked ? null : element("p", { class: "note", role: "alert" }, "The address names no history of this page; this is the opening.");
  show([warning, ...content()]);
  document.title = beside ? `${written(history)} beside ${written(beside)} · ${page.title}` : `${isCalled ? `${written(history)} call` : written(history)} · ${page.title}`;
}

/** The page of what is shown. */
function content() {
  const { reading, isCalled, beside } = shown;
  if (beside) return comparison(reading, beside);
  return isCalled ? showdown(reading) : decision(reading);
}

/** Another page of the same address: the same history, with other choices. */
function redraw() {
  if (location.hash === "#quiz") show(quizPage());
  else if (shown) show(content());
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

function chooseRoll(roll) {
  chosen.roll = roll;
  const beside = document.activeElement?.closest(".side:nth-child(2)") ? ".side:nth-child(2) " : "";
  again(`${beside}[data-roll="${roll}"]`);
}

async function moved() {
  if (!location.hash.startsWith("#quiz")) chosen.roll = null;
  await draw();
  document.getElementById("heading")?.focus({ preventScroll: true });
}

function back() {
  const { history } = shown.reading;
  if (shown.isCalled) location.hash = linkTo(history);
  else if (history.length) location.hash = linkTo(history.slice(0, -1));
}

function onwards() {
  const { reading, isCalled } = shown;
  if (isCalled) return;
  const likely = likelihoods(reading) || reading.actions.map((_, at) => sum(reading.probabilities[at]));
  const possible = reading.actions.map((action, at) => (action === CALL || reading.history.length < page.depth ? likely[at] : -1));
  const action = reading.actions[possible.indexOf(Math.max(...possible))];
  if (Math.max(...possible) >= 0) location.hash = action === CALL ? linkTo(reading.history, ["call"]) : linkTo([...reading.history, action]);
}

function step(by) {
  const order = shownRolls(shown.reading);
  if (!shown.isCalled && order.length) chooseRoll(order[(order.indexOf(chosen.roll) + by + order.length) % order.length]);
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
  q: () => (location.hash = "quiz"),
  c: () => shown && !shown.isCalled && keep(shown.reading.history),
  n: () => location.hash === "#quiz" && quiz.answer !== null && ask(),
  "?": () => document.getElementById("keys").showModal(),
};

function pressed(event) {
  const scrolls = event.target.closest?.(".scroll") && event.key.startsWith("Arrow") && event.target.scrollWidth > event.target.clientWidth;
  if (location.hash === "#quiz" && /^[0-9]$/.test(event.key) && !event.ctrlKey && !event.altKey && !event.metaKey) return guessKey(event.key);
  const chooses = event.target.matches?.("select") && event.key !== "?";
  if (event.ctrlKey || event.altKey || event.metaKey || scrolls || chooses || document.getElementById("keys").open) return;
  if (!Object.hasOwn(KEYS, event.key)) return;
  event.preventDefault();
  KEYS[event.key]();
}

const THEMES = { "": "◐ Auto", light: "☀ Light", dark: "☾ Dark" };

function theme(next) {
  const button = document.getElementById("theme");
  root.style.setProperty("color-scheme", next);
  button.textContent = THEMES[next];
  button.setAttribute("aria-label", `Colours: ${next || "as the system"}`);
  button.dataset.theme = next;
}

function prepare() {
  document.getElementById("about").textContent = page.title.replace("Liar's Dice: ", "");
  document.getElementById("rules").textContent = page.rules;
  document.getElementById("unit").append(element("b", {}, `${UNIT.column[0].toUpperCase()}${UNIT.column.slice(1)}. `), `${UNIT.values("who moves")}, if everybody then plays like this.`);
  document.getElementById("source").textContent = page.source;
  document.getElementById("to-quiz").addEventListener("click", () => (location.hash = "quiz"));
  document.getElementById("to-keys").addEventListener("click", KEYS["?"]);
  const fractions = document.getElementById("fractions");
  fractions.hidden = !page.exact;
  fractions.addEventListener("click", () => {
    inFractions = !inFractions;
    fractions.setAttribute("aria-pressed", String(inFractions));
    redraw();
  });
  const order = Object.keys(THEMES);
  const button = document.getElementById("theme");
  button.addEventListener("click", () => theme(order[(order.indexOf(button.dataset.theme) + 1) % order.length]));
  theme("");
}

async function start() {
  prepare();
  try {
    if (page.columns && !("DecompressionStream" in window)) throw new Error("this browser is too old: it has no DecompressionStream");
    source = page.columns ? await ofPage() : ofServer();
    await draw();
  } catch (error) {
    show([element("p", { class: "note", role: "alert" }, `The page cannot be shown: ${error.message}`)]);
    return;
  }
  window.addEventListener("hashchange", () => moved().catch((error) => show([element("p", { class: "note", role: "alert" }, error.message)])));
  document.addEventListener("keydown", pressed);
  root.dataset.ready = "";
}

start();
