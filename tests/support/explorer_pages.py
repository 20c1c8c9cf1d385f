"""Pages of the explorer for tests in a browser, and checks of their content."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from liarsdice_cli.draw.explorer import page, server, shell
from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.games.liarsdice import continuations
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.strategy import Strategy, Uniform

EVIL = "</script><script>window.hacked=1</script><img src=x onerror='window.hacked=1'>\u2028${1}`\"'&lt;"

CONTRAST = """() => {
  const light = (colour) => {
    const parts = colour.match(/[\\d.]+/g).map((part) => Number(part) / 255);
    const [r, g, b] = parts.map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (e) => {
    for (; e; e = e.parentElement) {
      for (const part of ["::before", null]) {
        const colour = getComputedStyle(e, part).backgroundColor;
        if (colour !== "rgba(0, 0, 0, 0)") return colour;
      }
    }
  };
  const isWritten = (e) => [...e.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  return [...document.querySelectorAll("body *")].filter((e) => isWritten(e) && e.checkVisibility())
    .filter((e) => !e.closest(".never, .hidden, script, option, :disabled, [aria-disabled=true]"))
    .map((e) => {
      const [one, two] = [light(getComputedStyle(e).color), light(ground(e))].sort((a, b) => b - a);
      return [e.textContent, (one + 0.05) / (two + 0.05)];
    }).filter(([, contrast]) => contrast < 4.5);
}"""
"""Find texts with a contrast below 4.5 to 1 to their background, which `::before` may draw."""

NAMELESS = (
    "[...document.querySelectorAll('a, button, select, input')].filter((e) => e.checkVisibility() &&"
    " !(e.getAttribute('aria-label') || (e.labels?.[0] || e).innerText.trim())).map((e) => e.outerHTML)"
)
"""Find controls without an accessible name."""

SMALL = """() => [...document.querySelectorAll("a, button, select, input")]
  .filter((e) => e.checkVisibility() && !e.matches("p:not(.tools) a")).map((e) => e.closest("label") || e)
  .filter((e) => Math.min(e.getBoundingClientRect().width, e.getBoundingClientRect().height) < 40)
  .map((e) => e.outerHTML)"""
"""Find controls that are less than 40 pixels wide or high, except links in a text."""

LISTEN = """() => {
  window.spoken = [];
  const regions = new Map();
  const look = () => document.querySelectorAll("[role=status], [role=alert], [role=log]").forEach((region) => {
    const was = regions.get(region);
    const words = region.checkVisibility() ? region.innerText.trim() : "";
    regions.set(region, words);
    if (was === undefined || was === words) return;
    const isLog = region.getAttribute("role") === "log" && words.startsWith(was);
    const said = isLog ? words.slice(was.length).trim() : words;
    if (said) window.spoken.push(said.replace(/\\s+/g, " "));
  });
  look();
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
}"""
"""Collect announcements of live regions in `spoken`, except those of regions inserted with text, as most screen readers do."""


class Seeded:
    """A random strategy that almost never takes some actions, the same for the same seed."""

    def __init__(self, game: Rules, seed: int = 1) -> None:
        self.rules, self.seed = game, seed

    def at(self, history: tuple[int, ...]) -> Floats:
        shape = Uniform(self.rules).at(history).shape
        generator = np.random.default_rng([self.seed, len(history), *history])
        said = generator.random(shape) * (generator.random(shape) < 0.7) + 1e-3
        return said / said.sum(axis=0)


def written(
    tmp_path: Path,
    game: Rules,
    name: str = "page.html",
    title: str = "a game",
    source: str = "somewhere",
    depth: int | None = None,
) -> str:
    """Write a page of the strategy `Seeded`, and return its address."""
    everything = continuations.all_continuations(Seeded(game))
    path = tmp_path / name
    path.write_bytes(shell.html(page.of_file(everything, title, source, False, depth)))
    return path.as_uri()


@contextmanager
def served_here(game: Rules, strategy: Strategy, opponent_max_bids: int = 1000) -> Iterator[str]:
    """Yield the address of a page that this process serves."""
    content = shell.html(page.of_server(game, "a game", "", False))
    answers = server.Server(0, content, game, lambda bids: continuations.after(strategy, bids, opponent_max_bids))
    with answers:
        threading.Thread(target=answers.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        yield answers.address
        answers.shutdown()


def percent(share: float) -> str:
    """Return a probability as the page writes it."""
    return f"{100 * share:.1f}".removesuffix(".0") + " %"


def chance(text: str) -> float:
    """Return the probability that the page writes as this text."""
    return float(text.removesuffix(" %").removeprefix("< ")) / 100


def until(tab: Any, expression: str) -> None:
    """Wait until an expression is true. The page's content security policy forbids Playwright's own way of waiting."""
    for _ in range(200):
        if tab.evaluate(expression):
            return
        tab.wait_for_timeout(25)
    pytest.fail(f"never came about: {expression}")
