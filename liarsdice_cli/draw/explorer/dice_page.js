/*
 * Getting around in Liar's Dice. The address says what is shown: #1x2,2x3, #1x2,call or #quiz.
 */

let source = null;

const isQuiz = () => location.hash === "#quiz";

async function openSource() {
  if (page.columns && !("DecompressionStream" in window)) throw new Error("this browser is too old: it has no DecompressionStream");
  source = page.columns ? await ofPage() : ofServer();
}

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

/** Draw what the address says. */
async function draw() {
  root.classList.toggle("in-quiz", isQuiz());
  if (isQuiz()) {
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
  if (isQuiz()) return quizPage();
  const { reading, isCalled, beside } = shown;
  if (beside) return comparison(reading, beside);
  return isCalled ? showdown(reading) : decision(reading);
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
  const order = shownRows(shown.reading);
  if (!shown.isCalled && order.length) chooseRow(order[(order.indexOf(chosen.row) + by + order.length) % order.length]);
}

const OWN_KEYS = {
  q: () => (location.hash = "quiz"),
  c: () => shown && !shown.isCalled && keep(shown.reading.history),
  n: () => isQuiz() && quiz.answer !== null && ask(),
};

/** Whether a digit was typed that answers the quiz. */
function typed(event) {
  const answers = isQuiz() && /^[0-9]$/.test(event.key);
  if (answers) guessKey(event.key);
  return answers;
}

function prepareOwn() {
  const button = document.getElementById("to-quiz");
  button.hidden = false;
  button.addEventListener("click", () => (location.hash = "quiz"));
}
