/*
 * What stands on the page after a history.
 */

const VIEWS = { strategy: "Strategy", values: "Values", mistakes: "Mistakes" };

/** What the reader has chosen, besides the history in the address. */
const chosen = { view: "strategy", roll: null };

const linkTo = (history, end = []) => "#" + [...history.map((bid) => page.bids[bid]), ...end].join(",");
const written = (history) => history.map(nameOf).join(" ") || "the opening";

/** The bids so far, each a link back to it. */
function crumbs(history, isCalled) {
  const steps = [element("a", { href: linkTo([]), "aria-current": history.length || isCalled ? null : "page" }, "Opening")];
  history.forEach((bid, at) => {
    const last = at === history.length - 1 && !isCalled;
    const who = moverAfter(history.slice(0, at));
    steps.push(
      element("a", {
        href: linkTo(history.slice(0, at + 1)),
        class: `player${who + 1}`,
        "aria-label": `${playerName(who)} bids ${nameOf(bid)}`,
        "aria-current": last ? "page" : null,
      }, swatch(bid), nameOf(bid)),
    );
  });
  if (isCalled) {
    const who = moverAfter(history);
    steps.push(element("a", { href: linkTo(history, ["call"]), class: `player${who + 1}`, "aria-current": "page" }, swatch(CALL), "call"));
  }
  return element("ol", {}, steps.map((step) => element("li", {}, step)));
}

/** The one number that a line of the summary is about. */
const fact = (value, ...words) => element("li", {}, element("strong", {}, value), " ", ...words);

function heading(...words) {
  return element("h2", { id: "heading", tabindex: "-1" }, ...words);
}

function summary(reading) {
  const { history, mover } = reading;
  const reach = reachOf(reading);
  const held = beliefs(reading, mover);
  const facts = [fact(share(reach), "of games come here")];
  if (reading.values && held) {
    const expected = sum(held.map((chance, roll) => chance * worthOf(reading, roll)));
    facts.push(fact(worth(expected), ...UNIT.fact(player(mover), expected)));
  }
  if (history.length && odds(reading) !== null) {
    facts.push(fact(share(odds(reading)), `that ${nameOf(history[history.length - 1])} is true`));
  }
  return element("ul", { class: "facts" }, facts);
}

/** Why numbers are missing, or null. */
function gap(reading) {
  const { mover, values } = reading;
  const never = othersThan(mover).find((player) => !sum(reading.reaches[player]));
  if (never !== undefined) {
    const other = playerName(never);
    return `${other} never bids like this, with any roll: so nothing can be said of ${other}’s dice, nor of what a move is worth. A quasi-perfect equilibrium would say it: liarsdice solve --refine quasi-perfect.`;
  }
  const erring = players.filter((player) => sum(reading.reaches[player]) < page.mistake && sum(reading.reaches[player]) > 0);
  if (erring.length && values) {
    return `${erring.map(playerName).join(" and ")} ${erring.length > 1 ? "come" : "comes"} here only by mistake; the likeliest mistakes are counted.`;
  }
  if (!values) return "Too many bids can follow to look through them all: values are shown a few bids further on.";
  if (!sum(reading.reaches[mover])) {
    return `${playerName(mover)} never bids like this, with any roll; this is what ${playerName(mover)} would do all the same.`;
  }
  return null;
}

/** The moves, each a link to what comes after it; `linked` says where a history is shown, without it a page of its own. */
function moves(reading, linked = null) {
  const likely = likelihoods(reading);
  const links = reading.actions.map((action, at) => {
    const cut = action !== CALL && reading.history.length >= page.depth;
    const href = action === CALL ? linkTo(reading.history, ["call"]) : (linked || linkTo)([...reading.history, action]);
    const chance = likely ? likely[at] : null;
    return element(cut ? "span" : "a", {
      href: cut ? null : href,
      class: `move${chance ? "" : " never"}`,
      style: { "--share": chance || 0, "--fill": page.colours[action + 1][0] },
      title: cut ? "this page ends here" : null,
      "aria-label": `${nameOf(action)}${chance === null ? "" : `, ${share(chance)}`}${cut ? ", not on this page" : ""}`,
    }, element("span", {}, swatch(action), nameOf(action)), element("small", {}, chance === null ? "" : share(chance)));
  });
  const ends = reading.history.length >= page.depth && links.some((link) => link.tagName === "SPAN");
  return element("nav", { class: "moves", "aria-label": "Moves" }, links,
    ends ? element("p", { class: "ends" }, `This page ends after ${page.depth} ${page.depth === 1 ? "bid" : "bids"}; `, element("code", {}, "liarsdice explore --serve"), " goes on.") : null);
}

function tabs() {
  return element("div", { class: "tabs", role: "group", "aria-label": "What to show" },
    Object.entries(VIEWS).map(([view, name]) =>
      element("button", { type: "button", id: `view-${view}`, "aria-pressed": String(view === chosen.view), onclick: () => chooseView(view) }, name)));
}

/** How strongly a cell is coloured: by its place between the lowest and the highest payoff, or by the cost. */
function depthOf(reading, at, roll, isCost) {
  const [lowest, highest] = page.payoffs;
  const range = highest - lowest;
  return isCost ? Math.min(1, (1.6 * costOf(reading, at, roll)) / range) : (reading.values[at][roll] - lowest) / range;
}

/** A row for every move, a column for every roll: what the move is worth, or what it costs against the best one. */
function numberTable(reading, isCost) {
  if (!reading.values) return element("p", { class: "note" }, "There are no values here.");
  const rolls = page.rolls[reading.mover];
  const order = shownRolls(reading);
  const head = element("tr", {}, element("th", { scope: "col" }, element("span", { class: "hidden" }, "move")),
    order.map((roll) => element("th", { scope: "col", class: roll === chosen.roll ? "chosen" : null, "aria-label": `roll ${rollName(rolls[roll])}` },
      element("button", { type: "button", "data-roll": roll, "aria-label": `roll ${rollName(rolls[roll])}`, onclick: () => chooseRoll(roll) },
        dice(rolls[roll], reading.mover)))));
  const rows = reading.actions.map((action, at) =>
    element("tr", {}, element("th", { scope: "row" }, swatch(action), nameOf(action)),
      order.map((roll) => {
        const number = isCost ? lost(costOf(reading, at, roll)) : worth(reading.values[at][roll]);
        const taken = reading.probabilities[at][roll] > 0;
        return element("td", {
          class: [taken ? "taken" : "", roll === chosen.roll ? "chosen" : ""].join(" "),
          style: { "--depth": depthOf(reading, at, roll, isCost) },
          title: taken ? `taken with ${share(reading.probabilities[at][roll])}` : null,
        }, number);
      })));
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": isCost ? "What every move costs" : "What every move is worth" },
    element("table", { class: isCost ? "costs" : "values" },
      element("caption", {}, element("span", {}, isCost ? UNIT.costs : UNIT.values(playerName(reading.mover)), "; bold: taken")),
      element("thead", {}, head), element("tbody", {}, rows)));
}

/** Everything about one roll: each move with its probability, value and cost. */
function detail(reading) {
  const faces = page.rolls[reading.mover][chosen.roll];
  const { history, mover, actions } = reading;
  const rows = actions.map((action, at) => {
    const chance = reading.probabilities[at][chosen.roll];
    return element("tr", { class: chance ? null : "never" },
      element("th", { scope: "row" }, swatch(action), nameOf(action)),
      element("td", {}, share(chance)),
      element("td", {}, reading.values ? worth(reading.values[at][chosen.roll]) : "–"),
      element("td", {}, reading.values ? lost(costOf(reading, at, chosen.roll)) : "–"));
  });
  const truth = history.length ? oddsWith(reading, mover, chosen.roll) : null;
  const bid = history.length ? nameOf(history[history.length - 1]) : "";
  return element("section", { class: "card detail", "aria-labelledby": "detail-title" },
    element("h3", { id: "detail-title" }, "With ", element("span", { class: "hidden" }, rollName(faces)), dice(faces, mover)),
    truth === null ? null : element("p", {}, "To this player ", bid, " is true with ", element("strong", {}, share(truth)), "."),
    element("table", {},
      element("thead", {}, element("tr", {}, ["move", "taken", UNIT.column, "costs"].map((name) => element("th", { scope: "col" }, name)))),
      element("tbody", {}, rows)),
    indifference(reading));
}

/** The greatest chance that a bar has room for, the same after every history: of six dice faces, all there is. */
const scaleOf = (who) => Math.min(1, 6 * Math.max(...page.chances[who]));

/** The rolls of a player once the history is known, beside what they were when dealt. */
function holdings(reading, who) {
  const held = beliefs(reading, who);
  const widest = scaleOf(who);
  const rows = page.rolls[who].map((faces, roll) => {
    const chance = held ? held[roll] : null;
    return element("li", { class: chance ? null : "never" },
      dice(faces, who), element("span", { class: "hidden" }, `roll ${rollName(faces)}: `),
      element("span", { "aria-hidden": "true", class: `belief${chance > widest ? " beyond" : ""}`, style: { "--share": Math.min(1, (chance || 0) / widest), "--dealt": page.chances[who][roll] / widest } }),
      element("span", { class: "number" }, share(chance)));
  });
  return element("section", { class: `card beliefs player${who + 1}` },
    element("h3", {}, "What ", player(who), " holds"),
    element("p", {}, held ? "By Bayes’ rule, from the moves so far; the mark is the chance when dealt." : "These moves are never made, so nothing is known."),
    element("ul", {}, rows),
    element("p", { class: "scale", "aria-hidden": "true" }, element("span", {}, "0"), element("span", {}, share(widest / 2)), element("span", {}, share(widest))));
}

/** The holdings of one or more players, as part of the columns. */
function holdingsOf(reading, who) {
  const cards = who.map((player) => holdings(reading, player));
  return cards.length > 1 ? element("div", { class: "several" }, cards) : cards;
}

/** The page at a decision. */
function decision(reading) {
  const { history, mover } = reading;
  const held = beliefs(reading, mover);
  if (chosen.roll === null || chosen.roll >= page.rolls[mover].length) chosen.roll = held ? held.indexOf(Math.max(...held)) : 0;
  const note = gap(reading);
  const view = chosen.view === "strategy" ? strategyTable(reading) : numberTable(reading, chosen.view === "mistakes");
  return [
    element("div", { class: "top" }, heading(player(mover), history.length ? ` moves after ${written(history)}` : " opens"), comparing(reading)),
    summary(reading),
    note && element("p", { class: "note" }, note),
    moves(reading),
    columns(element("section", { class: "card main", "aria-labelledby": "rolls-title" },
      element("h3", { id: "rolls-title" }, "What ", player(mover), " does with each roll"), tabs(), rollTools(reading), view), reading),
  ];
}

/** The rolls on the left; on the right what goes with them, and what a few rolls leave room for below them. */
function columns(rolls, reading) {
  const all = overall(reading);
  const isTall = page.rolls[reading.mover].length > 10;
  return element("div", { class: "columns" },
    element("div", { class: "column" }, rolls, isTall ? null : all),
    element("div", { class: "column" }, detail(reading), isTall ? all : null, holdingsOf(reading, othersThan(reading.mover))));
}

/** Whose fate a call decides: of two players who wins, of more who loses. */
function fates(bid, truth, bidder, caller) {
  const [word, ifTrue, ifFalse] = players.length === 2 ? ["wins", bidder, caller] : ["loses", caller, bidder];
  return [
    fact(share(truth), `that ${bid} is true and `, player(ifTrue), ` ${word}`),
    fact(share(1 - truth), "that ", player(ifFalse), ` ${word}`),
  ];
}

/** The page after a call: who wins or loses, and what everybody may hold. */
function showdown(reading) {
  const { history, mover } = reading;
  const after = called(reading);
  const bid = nameOf(history[history.length - 1]);
  const truth = odds(after);
  const facts = [fact(share(reachOf(after)), "of games end like this")];
  if (truth !== null) facts.push(...fates(bid, truth, bidderBefore(history), mover));
  return [
    heading(player(mover), ` calls ${bid}`),
    element("ul", { class: "facts" }, facts),
    truth === null ? element("p", { class: "note" }, "The strategy never comes to this call.") : null,
    element("div", { class: players.length > 2 ? "several" : "columns even" }, [mover, ...othersThan(mover)].map((who) => holdings(after, who))),
  ];
}
