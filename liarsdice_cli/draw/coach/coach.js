/*
 * What is tapped is said to the server, and what it answers is drawn; nothing is known here that it did not say.
 */

let table = null;
let isBusy = false;
const main = document.getElementById("main");
const byId = (name) => document.getElementById(name);
const THOUGHT = 400; // milliseconds after which it is said that somebody thinks

/** Tell what a tap has changed on the page alone to somebody who does not see it. */
function tell(words) {
  byId("told").textContent = words;
}

/** Draw all anew, with the focus where it was, or, where that is gone, on `next`, or else on what is asked for. */
function draw(next = null) {
  const focused = document.activeElement;
  const isInMain = main.contains(focused);
  main.replaceChildren(...(table ? atTable() : setup()));
  for (const name of ["undo", "anew", "leave"]) byId(name).hidden = !table;
  byId("anew").hidden = !table || table.loser !== null;
  byId("rules").textContent = table ? table.title.replace(/, payoffs .*/, "") : "";
  const keyed = (key) => [...main.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key && !one.disabled);
  if (isInMain) (keyed(focused.dataset.key) || keyed(next) || byId("heading")).focus();
  else if (focused.hidden) byId("heading").focus();
}

/** Say something to the server, and show what it answers. */
async function say(what) {
  if (isBusy) return;
  isBusy = true;
  main.setAttribute("aria-busy", "true");
  const thinking = setTimeout(() => { byId("said").textContent = "Thinking …"; }, THOUGHT);
  try {
    const answer = await fetch("/say", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(what) });
    if (!answer.ok) throw new Error(await answer.text());
    heard(await answer.json(), what);
  } catch (problem) {
    heard({ error: `the program that shows this page does not answer (${problem.message.trim()}); start it again`, table }, what);
  }
  clearTimeout(thinking);
  isBusy = false;
  main.setAttribute("aria-busy", "false");
  document.documentElement.dataset.ready = "";
}

/** Show what the server answers to what was said. */
function heard({ error, table: now }, what) {
  byId("error").hidden = !error;
  byId("error").textContent = error ? `${error}.` : "";
  const isInMain = main.contains(document.activeElement);
  table = now;
  if (table && !error) {
    mending = false;
    pick();
  }
  draw();
  if (isInMain && table && !error) byId("heading").focus({ preventScroll: true });
  tell("");
  byId("said").textContent = table && !error ? inWords(what) : "";
}

/** What has happened, and what comes next. */
function inWords(what) {
  return [what.undo ? "Taken back." : "", ...happened(what), next()].filter(Boolean).join(" ");
}

/** What was said just now, or, where something was taken back, what was said before. */
function happened(what) {
  const words = [];
  if (what.dice) words.push(`Your dice: ${table.my_dice.join(" ")}.`);
  if (!what.hear && !what.undo) return words;
  if (table.called) words.push(`${calling()}.`);
  else if (last()) words.push(`${Who(bidder(table.history.length - 1))} ${verb(bidder(table.history.length - 1), "bid")} ${last()}.`);
  if (table.move) words.push(table.move.ev_loss ? `That cost ${share(table.move.ev_loss)} of a round.` : table.move.ev_loss === 0 ? "As good as any." : "What it is worth is not known.");
  return words;
}

function next() {
  if (table.over) return `${Who(table.loser)} lost the last die. The match is over.`;
  if (table.loser !== null) return `${Who(table.loser)} lost round ${table.round}.`;
  if (table.called) return "Who lost?";
  const found = table.recommendation;
  if (found) return `Your turn. Recommended: ${named(found.action)}.`;
  if (table.my_dice === null && asksDice()) return table.history.length ? "Your turn." : `Round ${table.round}. ${Who(table.opener)} ${verb(table.opener, "open")}.`;
  return table.bids.length ? `${Who(table.turn)} to bid.` : `${Who(table.turn)} can only call.`;
}

function leave() {
  say({ leave: true });
}

document.addEventListener("keydown", (event) => {
  if (!table || isBusy || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("input, select")) return;
  const rolls = mending || asksDice();
  const bids = !rolls && table.turn !== null;
  const keys = {
    u: () => say({ undo: true }),
    n: () => table.loser !== null && !table.over && say({ new: null }),
    c: () => bids && sayEnd("call"),
    s: () => bids && sayEnd("spot-on"),
    b: () => (rolls ? sayDice() : bids && sayBid()),
    ArrowUp: () => bids && pickQuantity(picked.quantity + 1),
    ArrowDown: () => bids && pickQuantity(picked.quantity - 1),
    Backspace: () => rolls && rolled.length && takeBack(rolled.length - 1),
  };
  if (/^[1-9]$/.test(event.key)) {
    if (rolls) roll(Number(event.key));
    else if (bids) pickFace(Number(event.key));
  } else if (keys[event.key]) keys[event.key]();
  else return;
  event.preventDefault();
});

byId("undo").addEventListener("click", () => say({ undo: true }));
byId("anew").addEventListener("click", () => say({ new: null }));
byId("leave").addEventListener("click", leave);
prepareTheme();
say({});
