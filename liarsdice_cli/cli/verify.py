"""`liarsdice verify`: judge a kept profile again, from the files alone."""

from __future__ import annotations

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.options import FILE, RuleOptions, json_option, rule_options
from liarsdice_cli.cli.printing import print_json, print_lines
from liarsdice_cli.errors import UsageError


@click.command(
    cls=CommandWithExample,
    example="liarsdice verify game.efg profile.json\n"
    "liarsdice verify --sides 3 --rules common profile.json\n"
    "liarsdice verify strategy.ldz",
)
@click.argument("files", type=FILE, nargs=-1, required=True, metavar="[GAME] PROFILE")
@rule_options
@json_option
def command(files: tuple[str, ...], asked: RuleOptions, as_json: bool) -> None:
    """Judge the profile in the file PROFILE for GAME (a file, or - for standard input) or for the rules.

    A strategy file (.ldz) in its place knows its own rules.
    """
    from liarsdice_cli.formats.ldz import is_strategy

    if is_strategy(files[-1]):
        _verify_strategy(files, asked, as_json)
    else:
        _verify_profile(files, asked, as_json)


def _verify_strategy(files: tuple[str, ...], asked: RuleOptions, as_json: bool) -> None:
    from liarsdice_cli.cli.game import facts_of
    from liarsdice_cli.formats.ldz import StrategyFile
    from liarsdice_cli.games.liarsdice.public import public_game
    from liarsdice_cli.report.public_solution import verdict_json, verdict_lines
    from liarsdice_cli.solvers.public_tree.responses import Responses

    if len(files) > 1 or asked:
        raise UsageError(f"{files[-1]} knows its rules: leave the game out")
    kept = StrategyFile(files[0])
    facts = facts_of(kept.rules, "multiset")
    verdict = Responses(public_game(kept.rules)).verdict((kept.weights(0), kept.weights(1)))
    if as_json:
        head = {"rules": str(kept.rules)} | facts.json() | {"lifted": None, "exact": False, "completed": 0}
        print_json("verify", head | verdict_json(verdict))
    else:
        print_lines((*facts.lines(), "", *verdict_lines(verdict, facts.players)))


def _verify_profile(files: tuple[str, ...], asked: RuleOptions, as_json: bool) -> None:
    from liarsdice_cli.cli.game import game_of
    from liarsdice_cli.extensive.evaluate import judge
    from liarsdice_cli.extensive.profile import GIVEN
    from liarsdice_cli.formats import profile_json
    from liarsdice_cli.report.solution import judgement_json, judgement_lines

    if len(files) > 2 or (len(files) == 2 and asked):
        raise UsageError("give a game and a profile, or a profile and rule options: liarsdice verify game.efg profile.json")
    game = game_of(files[0] if len(files) == 2 else None, asked)
    profile = profile_json.read(files[-1], game.tree)
    judgement, completed = judge(game.tree, profile), int((profile.source != GIVEN).sum())
    if as_json:
        verdict = {"lifted": game.lifted, "exact": judgement.is_equilibrium, "completed": completed}
        print_json("verify", game.source | game.facts.json() | verdict | judgement_json(judgement))
    else:
        lifted = [game.lifted] if game.lifted else []
        print_lines((*game.facts.lines(), *lifted, "", *judgement_lines(game.tree, judgement)))
        if completed:
            print_lines(
                [f"  the file gives no distribution at {completed:,} information set(s); judged with equal probabilities"]
            )
