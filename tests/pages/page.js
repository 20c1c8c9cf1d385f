/*
 * A page for unit tests: the document that Python writes, without its script, and the data that it wrote for a small game.
 */

import { readFileSync } from "node:fs";
import { JSDOM } from "jsdom";

const read = (name) => readFileSync(new URL(name, import.meta.url), "utf-8");

/** Make the globals of a browser with the page's elements and these data. */
export function openPage(template, data) {
  const html = read(`../../liarsdice_cli/draw/${template}`).replace("$data", JSON.stringify(data).replaceAll("<", "\\u003c")).replace("$script", "");
  const { window } = new JSDOM(html, { url: "http://127.0.0.1/secret/" });
  for (const name of ["document", "location", "Element", "Node"]) globalThis[name] = window[name];
  globalThis.window = globalThis;
  return window;
}

/** The data of a page that Python wrote: common rules, two sides, one die each. */
export const twoSides = () => JSON.parse(read("two-sides.json"));
