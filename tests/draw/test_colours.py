"""Check that faded colours in pictures stay legible."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from liarsdice_cli.draw.colours import ENDINGS, GREY, INK, LINE, PAPER, PLAYERS, TEXT, contrast, faded, of_mover
from liarsdice_cli.draw.head import action_colours
from liarsdice_cli.draw.scene import ink_on
from liarsdice_cli.extensive.stream import CHANCE
from tests.support.command_line import KUHN, run_here


def by_wcag(one: str, other: str) -> float:
    """Return the contrast ratio as WCAG 2.2 defines it."""

    def relative_luminance(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    lighter, darker = sorted((relative_luminance(one), relative_luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("mover", [CHANCE, *range(PLAYERS), INK, GREY])
def test_faded_colours_are_paler_and_keep_the_contrast_of_wcag(mover) -> None:
    colour = of_mover(mover) if isinstance(mover, int) else mover
    for least in (LINE, TEXT):
        for its, pale, paper in zip(colour, faded(colour, least), PAPER, strict=True):
            assert contrast(pale, paper) == pytest.approx(by_wcag(pale, paper))
            assert least <= by_wcag(pale, paper) < by_wcag(its, paper)


def test_words_on_faded_bars_are_legible() -> None:
    bids = [f"{quantity}x{face}" for quantity in range(1, 5) for face in range(1, 7)]
    for colour in [*ENDINGS, *action_colours(bids).values()]:
        pale = faded(colour)
        assert all(by_wcag(ink, ground) >= 4.5 for ink, ground in zip(ink_on(pale), pale, strict=True))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_branches_and_words_of_a_drawn_profile_have_enough_contrast(scheme: str, tmp_path: Path) -> None:
    assert run_here("draw", KUHN, "-q", "-o", tmp_path / "tree.svg").code == 0
    picture = (tmp_path / "tree.svg").read_text(encoding="utf-8")
    assert "faded: never reached" in picture
    assert "fill-opacity" not in picture
    light, dark = picture.split("@media(prefers-color-scheme:dark)")
    colours = dict(re.findall(r"\.(c\d+)\{color:(#\w+)\}", light))
    if scheme == "dark":
        colours |= dict(re.findall(r"\.(c\d+)\{color:(#\w+)\}", dark))
    for kind, least in (("path", 3), ("text", 4.5), ("tspan", 4.5)):
        used = set(re.findall(rf'<{kind} class="(c\d+)', picture)) - {"c1"}  # paper: the numbers on filled shapes
        assert len(used) > 3
        assert min(by_wcag(colours[name], colours["c1"]) for name in used) >= least
    for ground in re.findall(r'<rect class="(c\d+)"[^>]*rx="5"/><text class="c1', picture):
        assert by_wcag(colours[ground], colours["c1"]) >= 4.5
