/*
 * The colours of a page: light, dark, or those of the system.
 */

import { byId } from "./elements.js";

/** @type {Record<string, [string, string]>} */
const THEMES = { "": ["◐", "Auto"], light: ["☀", "Light"], dark: ["☾", "Dark"] };

/** @param {string} next */
function theme(next) {
  const button = byId("theme");
  const [sign, word] = THEMES[next];
  document.documentElement.style.setProperty("color-scheme", next);
  button.textContent = `${sign} ${word}`;
  button.setAttribute("aria-label", `Colours: ${word}`);
  button.dataset.theme = next;
}

export function prepareTheme() {
  const order = Object.keys(THEMES);
  const button = byId("theme");
  button.addEventListener("click", () => theme(order[(order.indexOf(button.dataset.theme ?? "") + 1) % order.length]));
  theme("");
}
