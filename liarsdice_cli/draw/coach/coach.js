/*
 * What is tapped is said to the server, and what it answers is drawn; nothing is known here that it did not say.
 */

let table = null;
let isBusy = false;
const main = document.getElementById("main");
const byId = (name) => document.getElementById(name);

/** Draw all anew, with the focus where it was, or, where that is gone, on what is asked for. */
function draw() {
  const focused = document.activeElement;
  const key = main.contains(focused) ? focused.dataset.key || "" : null;
  main.replaceChildren(...(table ? atTable() : setup()));
  for (const name of ["undo", "anew", "leave"]) byId(name).hidden = !table;
  byId("anew").hidden = !table || table.loser !== null;
  byId("rules").textContent = table ? table.rules.replace(/, payoffs .*/, "") : "";
  if (key === null) return;
  const same = [...main.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key && !one.disabled);
  (same || byId("heading")).focus();
}

/** Say something to the server, and show what it answers. */
async function say(what) {
  if (isBusy) return;
  isBusy = true;
  main.setAttribute("aria-busy", "true");
  byId("said").textContent = "Thinking …";
  try {
    const answer = await fetch("/say", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(what) });
    if (!answer.ok) throw new Error(await answer.text());
    heard(await answer.json());
  } catch (problem) {
    heard({ error: `the program that shows this page does not answer (${problem.message.trim()}); start it again`, table });
  }
  isBusy = false;
  main.setAttribute("aria-busy", "false");
  document.documentElement.dataset.ready = "";
}

function heard({ error, table: now }) {
  byId("error").hidden = !error;
  byId("error").textContent = error ? `${error}.` : "";
  const key = main.contains(document.activeElement) ? document.activeElement.dataset.key || "" : null;
  table = now;
  if (table && !error) {
    mending = false;
    pick();
  }
  draw();
  if (key !== null && table && !error) byId("heading").focus({ preventScroll: true });
  byId("said").textContent = table ? inWords() : "";
}

/** What somebody who does not see the page should know now. */
function inWords() {
  const cost = table.move && table.move.cost ? `That cost ${share(table.move.cost)} of a round. ` : "";
  if (table.over) return `${cost}The match is over.`;
  if (table.loser !== null) return `${cost}${Who(table.loser)} lost round ${table.round}.`;
  if (table.called) return `${cost}${last()} is called.`;
  const found = table.recommendation;
  if (found) return `${cost}Your turn. Recommended: ${found.action === "call" ? `call ${last()}` : `bid ${found.action}`}.`;
  if (table.own === null && asksDice()) return `${cost}Round ${table.round}. ${Who(table.opener)} ${verb(table.opener, "open")}.`;
  return `${cost}${last() ? `${last()} was bid. ` : ""}${Who(table.turn)} to bid.`;
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
    c: () => bids && sayCall(),
    b: () => (rolls ? sayDice() : bids && sayBid()),
    ArrowUp: () => bids && pickQuantity(picked.quantity + 1),
    ArrowDown: () => bids && pickQuantity(picked.quantity - 1),
    Backspace: () => rolls && (rolled.pop(), draw()),
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
say({});
