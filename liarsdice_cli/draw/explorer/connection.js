/*
 * Requests to the program that served the page, through a network that may be gone for a while and a phone that may sleep.
 * A request is sent again until it is answered; the program must take one that comes twice for one.
 */

import { byId } from "./elements.js";

/** The milliseconds after which it is asked whether the program can still be reached, and those that the answer may take. */
const SILENCE = 6000;
const PATIENT = 4000;
/** The milliseconds between one try and the next. */
const PAUSES = [500, 1000, 2000, 4000];
/** The milliseconds for which the page says that the connection is back. */
const SHOWN = 4000;
const LOST = "No connection to the program. The page tries again by itself; nothing that you entered is lost.";
const BACK = "Connected again.";

/** Requests that wait for an answer. @type {Set<AbortController>} */
const waiting = new Set();
/** What ends the pauses. @type {Set<() => void>} */
const pausing = new Set();

/** After sleep an answer may never come, though the program is there: all that waits is sent again at once. */
function wake() {
  if (document.hidden) return;
  for (const stop of waiting) stop.abort("woken");
  for (const end of [...pausing]) end();
}

/** Let requests be sent again as soon as the phone wakes or is back on the network. */
export function prepareConnection() {
  document.addEventListener("visibilitychange", wake);
  window.addEventListener("pageshow", wake);
  window.addEventListener("online", wake);
}

/**
 * Wait, but not longer than until the phone wakes or the network is back.
 * @param {number} milliseconds @returns {Promise<void>}
 */
export const rest = (milliseconds) => new Promise((done) => {
  const end = () => {
    clearTimeout(timer);
    pausing.delete(end);
    done();
  };
  const timer = setTimeout(end, milliseconds);
  pausing.add(end);
});

/**
 * Return the answer to a request, sent as often as it takes.
 * @param {string} path @param {RequestInit} [request] @returns {Promise<{ ok: boolean, text: string }>}
 */
export async function reach(path, request = {}) {
  for (let tries = 0; ; tries++) {
    const stop = new AbortController();
    waiting.add(stop);
    const watching = setInterval(async () => {
      if (!(await isThere())) stop.abort("lost");
    }, SILENCE);
    try {
      const answer = await fetch(path, { ...request, signal: stop.signal });
      const text = await answer.text();
      sayLost(false);
      return { ok: answer.ok, text };
    } catch {
      if (stop.signal.reason === "woken") continue;
      sayLost(true);
    } finally {
      clearInterval(watching);
      waiting.delete(stop);
    }
    await rest(PAUSES[Math.min(tries, PAUSES.length - 1)]);
  }
}

async function isThere() {
  try {
    await fetch("app.webmanifest", { signal: AbortSignal.timeout(PATIENT) });
    return true;
  } catch {
    return false;
  }
}

/** @param {boolean} isLost */
function sayLost(isLost) {
  const note = byId("lost");
  if (isLost === (note.textContent === LOST)) return;
  if (!isLost && note.textContent === "") return;
  note.classList.toggle("fine", !isLost);
  note.textContent = isLost ? LOST : BACK;
  if (!isLost) setTimeout(() => { if (note.textContent === BACK) note.textContent = ""; }, SHOWN);
}
