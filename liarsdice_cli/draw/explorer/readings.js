/*
 * What holds after a betting history.
 *
 * A reading is { history, mover, actions, probabilities, values, reaches, mistaken }:
 *   history        the numbers of the bids, rising
 *   mover          who decides, from 0
 *   actions        those that end the bidding (not in the opening), then the numbers of the bids that may follow
 *   probabilities  of every action (first index) with every roll of the mover (second)
 *   values         likewise, what the action is worth to the mover; null where nobody can know
 *   reaches        for every player, the chance of each roll times that of the player's own bids with it; after a mistake,
 *                  if the strategy has them, the relative probabilities of the rolls, in any unit
 *   mistaken       the players who come here only by mistake, if the strategy has probabilities of mistakes
 * It comes out of the page itself or, in a page that is served, from the server.
 */

const [CALL, SPOT_ON] = [-1, -2];
const isEnding = (action) => action <= CALL;
const endings = page.endings.map((_, at) => CALL - at);

const players = page.rolls.map((_, player) => player);
const moverAfter = (history) => history.length % players.length;
const bidderBefore = (history) => moverAfter(history.slice(0, -1));
const othersThan = (player) => players.slice(1).map((turn) => (player + turn) % players.length);
const playerName = (player) => `Player ${player + 1}`;
const nameOf = (action) => (isEnding(action) ? page.endings[CALL - action] : page.bids[action]);
const colourOf = (action) => page.colours[isEnding(action) ? CALL - action : endings.length + action];
/** What they do who end the bidding, what one does, and what one says of the bid. */
const wordOf = (ending) => (ending === CALL ? "call" : "say spot-on");
const verbOf = (ending) => (ending === CALL ? "calls" : "says spot-on");
const claiming = (ending, bid, isMine = false) => (ending === CALL ? `call${isMine ? "" : "s"} ${bid}` : `say${isMine ? "" : "s"} that ${bid} is spot-on`);

function actionsAfter(history) {
  if (!history.length) return page.openings;
  const last = history[history.length - 1];
  const stop = last - (last % page.run) + page.run;
  return [...endings, ...page.bids.map((_, bid) => bid).slice(last + 1, stop)];
}

page.chances = page.chances.map((chances) => chances.map(numberOf));

/** A probability, with 0 for that of a mistake, which is too small to show; in fractions it is already 0. */
const onPurpose = (chance) => (!page.fractions && chance < page.mistake ? 0 : chance);

/** The players who come to a history only by mistake, judged by floats. */
const mistakenBy = (reaches) => players.filter((player) => sum(reaches[player]) < page.mistake && sum(reaches[player]) > 0);

function choose(many, few) {
  let ways = 1;
  for (let i = 1; i <= few; i++) ways = (ways * (many - few + i)) / i;
  return ways;
}

/** The place of a history: short ones first, those of one length as their bit masks rise. */
function placeOf(history) {
  return sum(history.map((bid, at) => choose(page.bids.length, at) + choose(bid, at + 1)));
}

async function inflated(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")));
}

/** The numbers of the columns, and the meaning of each: a float is itself, any other number is a place in a list of fractions. */
async function numbersOfPage() {
  const bytes = await (await inflated(page.columns)).arrayBuffer();
  if (!page.fractions) return { numbers: new Float32Array(bytes), meaning: (number) => number };
  const fractions = (await (await inflated(page.numerals)).text()).split(" ").map(numberOf);
  const numbers = fractions.length > 1 << 16 ? new Uint32Array(bytes) : new Uint16Array(bytes);
  return { numbers, meaning: (place) => fractions[place] };
}

/**
 * The columns of numbers, as `columns.py` joins them; that of the endings is one after the other of the same size. On a page in
 * fractions, `likely` has the probability of each roll for histories that their last bidder reaches only by mistake; otherwise 0.
 */
async function unpacked() {
  const { numbers, meaning } = await numbersOfPage();
  const wide = Math.max(...page.rolls.map((rolls) => rolls.length));
  const places = (depth) => sum(Array.from({ length: depth + 1 }, (_, length) => choose(page.bids.length, length)));
  const [shown, made] = [places(page.depth), places(page.depth + 1)];
  const parts = [endings.length * shown, endings.length * shown, made, made, page.fractions ? made : 0];
  const [ends, ofEnd, bids, ofBid, likely] = parts.map((part, at) => {
    const start = wide * sum(parts.slice(0, at));
    return numbers.subarray(start, start + wide * part);
  });
  const row = (column, place, player) => Array.from(column.subarray(place * wide, place * wide + page.rolls[player].length), meaning);
  const rowOfEnd = (column, ending, history, player) => row(column, (CALL - ending) * shown + placeOf(history), player);
  return { ends, ofEnd, bids, ofBid, likely, row, rowOfEnd };
}

/** Readings out of the page: a product along the history, everything else is looked up. */
async function ofPage() {
  const { ends, ofEnd, bids, ofBid, likely, row, rowOfEnd } = await unpacked();
  return (history) => {
    const mover = moverAfter(history);
    const reaches = page.chances.map((chances) => [...chances]);
    const erring = new Set();
    history.forEach((_, at) => {
      const bidder = moverAfter(history.slice(0, at));
      const place = placeOf(history.slice(0, at + 1));
      const taken = row(bids, place, bidder);
      const mistakes = page.fractions ? row(likely, place, bidder) : [];
      if (mistakes.some((chance) => chance !== 0)) {
        reaches[bidder] = mistakes;
        erring.add(bidder);
      } else reaches[bidder] = reaches[bidder].map((reach, roll) => times(reach, taken[roll]));
    });
    const actions = actionsAfter(history);
    const table = (ofAnEnd, ofABid) =>
      actions.map((action) =>
        isEnding(action) ? rowOfEnd(ofAnEnd, action, history, mover) : row(ofABid, placeOf([...history, action]), mover),
      );
    const values = table(ofEnd, ofBid);
    return {
      history,
      mover,
      actions,
      probabilities: table(ends, bids).map((row) => row.map(onPurpose)),
      values: values.flat().some(Number.isNaN) ? null : values,
      reaches,
      mistaken: page.fractions ? players.filter((player) => erring.has(player)) : mistakenBy(reaches),
    };
  };
}

/** Readings from the server that the page comes from, each asked for once. */
function ofServer() {
  const known = new Map();
  return async (history) => {
    const names = history.map((bid) => page.bids[bid]).join(",");
    if (!known.has(names)) {
      const answer = await fetch(`after?history=${encodeURIComponent(names)}`);
      if (!answer.ok) throw new Error(await answer.text());
      const { probabilities, values, reaches, mistaken } = await answer.json();
      const numbers = (rows) => rows && rows.map((row) => row.map(numberOf));
      known.set(names, {
        probabilities: numbers(probabilities).map((row) => row.map(onPurpose)),
        values: numbers(values),
        reaches: numbers(reaches),
        mistaken: mistaken ?? mistakenBy(reaches),
      });
    }
    return { history, mover: moverAfter(history), actions: actionsAfter(history), ...known.get(names) };
  };
}

/** The probability of every roll of a player once the history is known; null where it cannot have come about. */
function beliefs(reading, player) {
  const total = sum(reading.reaches[player]);
  return total > 0 ? reading.reaches[player].map((reach) => over(reach, total)) : null;
}

const reachOf = (reading) => (page.fractions && reading.mistaken.length ? 0 : reading.reaches.map(sum).reduce(times));
/** How likely every action is, over the rolls that the mover may hold; null where they can hold none. */
function likelihoods(reading) {
  const held = beliefs(reading, reading.mover);
  return held && reading.actions.map((_, at) => sum(held.map((chance, roll) => times(chance, reading.probabilities[at][roll]))));
}

/** The chances of how many dice of these players match a bid, from none up; null where one of them can hold no roll. */
function matches(reading, who, bid) {
  const held = who.map((player) => beliefs(reading, player));
  if (held.includes(null)) return null;
  return who.reduce((before, player, at) => {
    const most = Math.max(...page.matching[player].map((matching) => matching[bid]));
    const after = Array(before.length + most).fill(0);
    held[at].forEach((chance, roll) => before.forEach((one, count) => {
      const sumOf = count + page.matching[player][roll][bid];
      after[sumOf] = plus(after[sumOf], times(one, chance));
    }));
    return after;
  }, [ONE]);
}

/** Whether a bid for which so many dice count stands: against a call if it is true, against SPOT_ON unless it is so exactly. */
const stands = (bid, count, ending) => (ending === CALL ? count >= page.quantities[bid] : count !== page.quantities[bid]);

/** The probability that the last bid stands, where so many dice match it and those of these players are to be added. */
function oddsFrom(reading, known, who, ending) {
  const bid = reading.history[reading.history.length - 1];
  const chances = matches(reading, who, bid);
  return chances && sum(chances.filter((_, count) => stands(bid, known + count, ending)));
}

/** The probability that the last bid stands when a player holds a roll; null where one of the others cannot hold any. */
function oddsWith(reading, player, roll, ending = CALL) {
  return oddsFrom(reading, page.matching[player][roll][reading.history[reading.history.length - 1]], othersThan(player), ending);
}

/** The same for somebody who sees no dice. */
const odds = (reading, ending = CALL) => oddsFrom(reading, 0, players, ending);

const isSpotOnPlayed = endings.includes(SPOT_ON);

/** What is known once the mover has ended the bidding: their roll is one with which they do so. */
function ended(reading, ending) {
  const chances = reading.probabilities[reading.actions.indexOf(ending)];
  const reaches = reading.reaches.map((reach, player) =>
    player === reading.mover ? reach.map((one, roll) => times(one, chances[roll])) : reach,
  );
  return { ...reading, reaches };
}

const isChance = Number(LEAST) === 0 && Number(MOST) === 1;

/** In which unit payoffs are shown, in words: as chances to win where a win pays 1 and a loss 0, else as they are. */
const UNIT = isChance
  ? {
    column: page.rolls.length > 2 ? "survives" : "wins",
    fact: (who) => ["is the chance of ", who, page.rolls.length > 2 ? " not to lose" : " to win"],
    values: (who) => `How often a move ${page.rolls.length > 2 ? "keeps" : "wins for"} ${who}${page.rolls.length > 2 ? " from losing" : ""}`,
    costs: `How much less often a move ${page.rolls.length > 2 ? "avoids losing" : "wins"} than the best one with the same roll, in points of percent`,
  }
  : {
    column: "value",
    fact: (who, value) => ["is what ", who, " gains a game on average: ", `${share(over(minus(value, LEAST), minus(MOST, LEAST)))} ${page.rolls.length > 2 ? "not lost" : "won"}`],
    values: (who) => `What a move gains ${who} on average, from ${payoff(LEAST)} (lost) to ${payoff(MOST)} (${page.rolls.length > 2 ? "not lost" : "won"})`,
    costs: "How much less a move gains on average than the best one with the same roll",
  };
