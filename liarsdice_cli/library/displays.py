"""Notebook and terminal displays: the tables of the commands, and pictures of trees."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable
from html import escape
from typing import TYPE_CHECKING, Any

from liarsdice_cli.arena.tournament import Result
from liarsdice_cli.bots.zero_intelligence.model import Model
from liarsdice_cli.bots.zero_intelligence.situation import Situation
from liarsdice_cli.draw import pictures
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.evaluate import Judgement
from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.games.impartial.subtraction import TakeAway
from liarsdice_cli.games.liarsdice.presets import PRESETS
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.rules import rules as rules_of
from liarsdice_cli.library.explorer import Explorer, GameExplorer
from liarsdice_cli.library.figures import Figure
from liarsdice_cli.library.impartial import Nim
from liarsdice_cli.library.outcomes import Outcomes
from liarsdice_cli.library.pictures import Picture
from liarsdice_cli.library.pictures import picture as picture_of
from liarsdice_cli.report import markup
from liarsdice_cli.report.coalition import coalition_tables
from liarsdice_cli.report.facts import Facts, game_info
from liarsdice_cli.report.history import HistoryReport, history_tables
from liarsdice_cli.report.impartial import nim_lines, takeaway_lines
from liarsdice_cli.report.judgement import judgement_lines
from liarsdice_cli.report.match import match_tables
from liarsdice_cli.report.model import Asked, model_tables
from liarsdice_cli.report.outcomes import outcomes_tables
from liarsdice_cli.report.probability import probability_tables
from liarsdice_cli.report.profile import profile_tables
from liarsdice_cli.report.rules import rules_tables
from liarsdice_cli.report.safe import safe_tables
from liarsdice_cli.report.solution import solution_tables
from liarsdice_cli.report.standings import standings_tables
from liarsdice_cli.report.tables import cell
from liarsdice_cli.report.values import values_tables
from liarsdice_cli.solvers.solution import Solution
from liarsdice_cli.studies.coalition import Coalition
from liarsdice_cli.studies.match import Match
from liarsdice_cli.studies.match_of_more import MatchOfMore
from liarsdice_cli.studies.safe import SafeExploitation
from liarsdice_cli.studies.valuation import Valuation
from liarsdice_cli.studies.value_table import ValueTable

if TYPE_CHECKING:
    from rich.console import RenderableType

_LOOKED_AT = 300_000
"""The largest tree, in nodes, of which a part is drawn; a larger one shows its size only."""
_DEEPEST = 6
"""The depth of the largest part to try, in moves."""
_NOTEBOOK_HISTORIES = 400
"""The most histories that are read one by one for the page in a notebook, at about 2 ms each."""
_TALLEST = 1500
"""The largest height of a tree's picture in a notebook, in pixels; `picture` has no such limit."""


def rich(thing: object) -> RenderableType:
    """Return the tables for a terminal."""
    from rich.console import Group

    return Group(*(cell(part) if isinstance(part, str) else part for part in _tables(thing)))


def markdown(thing: object) -> str | None:
    """Return the tables as Markdown."""
    return markup.markdown(_tables(thing))


def svg(thing: object) -> str | None:
    """Return the picture as SVG; None for an object that has no picture or is too large."""
    picture = thing if isinstance(thing, Figure) else _picture(thing)
    return None if picture is None else picture.dumps("picture.svg").decode()


def _tables(thing: object) -> Iterable[RenderableType]:
    """Return the lines and tables of an object."""
    return next((said(thing) for kind, said in _SAID if isinstance(thing, kind)), [repr(thing)])


def _of_rules(rules: Rules) -> Iterable[RenderableType]:
    return rules_tables(rules, [], [rules_of(name, rules.sides, rules.dice) for name in PRESETS if name != rules.name])


def _of_profile(profile: Profile) -> Iterable[RenderableType]:
    yield profile.tree.title
    yield from profile_tables(profile)


def _of_judgement(judgement: Judgement) -> Iterable[RenderableType]:
    return judgement_lines([f"Player {player + 1}" for player in range(len(judgement.payoffs))], judgement)


def _of_picture(picture: Picture) -> Iterable[RenderableType]:
    yield from picture.dumps("picture.txt").decode().splitlines()
    yield picture.note


def _of_explorer(explorer: Explorer | GameExplorer) -> Iterable[RenderableType]:
    yield explorer.title
    yield explorer.source
    served = ", or explorer.serve()" if isinstance(explorer, Explorer) else ""
    yield f"a page to click through: write(explorer, 'explorer.html'){served}"


def _of_values(table: ValueTable) -> Iterable[RenderableType]:
    known = list(table)
    return values_tables(known, " or ".join(sorted({one.rules.payoffs for one in known})), len(known))


_SAID: tuple[tuple[type, Callable[[Any], Iterable[RenderableType]]], ...] = (
    (Rules, _of_rules),
    (GameTree, lambda tree: game_info(tree).lines()),
    (Facts, Facts.lines),
    (Profile, _of_profile),
    (Solution, solution_tables),
    (Judgement, _of_judgement),
    (Picture, _of_picture),
    (Figure, lambda figure: [figure.title]),
    (Explorer, _of_explorer),
    (GameExplorer, _of_explorer),
    (HistoryReport, history_tables),
    (Valuation, lambda one: values_tables([one], one.rules.payoffs, 1)),
    (ValueTable, _of_values),
    (Match, match_tables),
    (MatchOfMore, match_tables),
    (Result, standings_tables),
    (Coalition, coalition_tables),
    (SafeExploitation, safe_tables),
    (Outcomes, lambda outcomes: outcomes_tables(outcomes.play, outcomes.solution)),
    (Nim, lambda nim: nim_lines(nim.heaps, nim.misere)),
    (TakeAway, takeaway_lines),
    (Situation, probability_tables),
    (Model, lambda model: model_tables([model], Asked())),
)
"""The lines and tables of every class, as the commands print them."""


def html(thing: object) -> str | None:
    """Return the picture and the tables as HTML; for an explorer, its page in a frame."""
    if isinstance(thing, Explorer | GameExplorer):
        return _framed(thing)
    picture = thing if isinstance(thing, Figure) else _picture(thing)
    if picture is None:
        return markup.html(_tables(thing))
    if isinstance(picture, Figure):
        return _image(picture, picture.title)
    return _image(picture, picture.part.title) + _below(thing, picture)


def _framed(explorer: Explorer | GameExplorer) -> str:
    """Return the page in a frame; for a large strategy a page of fewer bids, so that it appears within two seconds."""
    small = explorer.limited(_NOTEBOOK_HISTORIES) if isinstance(explorer, Explorer) else explorer
    try:
        page = escape(small.dumps().decode(), quote=True)
    except LiarsDiceError as error:  # too large for a page
        return markup.html([*_tables(explorer), str(error)])
    style = "width:100%;height:42em;border:1px solid #8888"
    frame = f'<iframe srcdoc="{page}" style="{style}" title="{escape(explorer.title)}"></iframe>'
    if small is explorer:
        return frame
    return frame + markup.html([f"first {small.depth} bids only; for more, write(explorer, 'explorer.html')"])


def _image(picture: Picture | Figure, title: str) -> str:
    """Return the picture in a frame that scrolls if it is high."""
    drawn = base64.b64encode(picture.dumps("picture.svg")).decode()
    image = f'<img src="data:image/svg+xml;base64,{drawn}" alt="{escape(title)}" style="max-width:100%">'
    return f'<div style="overflow:auto;max-height:60em">{image}</div>'


def _below(thing: object, picture: Picture) -> str:
    """Return the text below a picture: the size of a game, or the source of a profile and its verdict."""
    if isinstance(thing, GameTree):
        return markup.html(_tables(thing))
    return markup.html([line for line in (picture.part.title if picture.part.notes else "", picture.note) if line])


def _picture(thing: object) -> Picture | None:
    """Return a picture of the whole object, or of the largest part that fits; None if no part fits."""
    if isinstance(thing, Picture):
        return thing
    if not isinstance(thing, GameTree | Profile):
        return None
    tree = thing.tree if isinstance(thing, Profile) else thing
    if tree.nodes > _LOOKED_AT:
        return None
    for depth in (None, *range(_DEEPEST, 0, -1)):
        try:
            picture = picture_of(thing, no_profile=isinstance(thing, GameTree), depth=depth)
            if pictures.scene(picture.part).height <= _TALLEST:
                return picture
        except LiarsDiceError:
            continue
    return None
