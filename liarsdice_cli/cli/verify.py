"""`liarsdice verify`: evaluate a kept profile again, from the files alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.option_table import option
from liarsdice_cli.cli.options import RuleOptions, json_option, one_pipe, quiet_option, rule_options
from liarsdice_cli.cli.printing import print_json, print_lines
from liarsdice_cli.cli.progress import display
from liarsdice_cli.cli.types import FILE
from liarsdice_cli.errors import UsageError

if TYPE_CHECKING:
    from liarsdice_cli.progress import Progress
    from liarsdice_cli.report.verification import Verification


@click.command(
    cls=CommandWithExample,
    example="liarsdice verify game.efg profile.json\n"
    "liarsdice verify --sides 3 --rules common profile.json\n"
    "liarsdice verify strategy.ldz --refine sequential\n"
    "liarsdice verify proof.cert",
)
@click.argument("files", type=FILE, nargs=-1, required=True, metavar="[GAME] PROFILE")
@rule_options
@option("refine", "bound the regret at every history, in a strategy file", type=click.Choice(("sequential",)))
@json_option
@quiet_option
def command(files: tuple[str, ...], asked: RuleOptions, refine: str | None, as_json: bool, quiet: bool) -> None:
    """Judge the profile in the file PROFILE for GAME (a file, or - for standard input) or for the rules.

    A strategy file (.ldz) or a certificate (.cert) contains its rules, so it needs no GAME.
    """
    from liarsdice_cli.formats import registry

    of_strategy = registry.holds(files[-1], registry.STRATEGY)
    if refine is not None and not of_strategy:
        raise UsageError(f"--refine is for strategy files, and {files[-1]} is not one: leave it out")
    with display(quiet) as progress:
        if of_strategy:
            verification = _of_strategy(files, asked, refine is not None, progress)
        else:
            verification = _of_profile(files, asked, progress)
    if as_json:
        print_json("verify", verification.json())
    else:
        print_lines(verification.lines())


def _of_strategy(files: tuple[str, ...], asked: RuleOptions, sequential: bool, progress: Progress) -> Verification:
    """Return the evaluation of a strategy file."""
    from liarsdice_cli.formats.certificate import Certificate
    from liarsdice_cli.formats.registry import read_strategy
    from liarsdice_cli.library.judging import judge
    from liarsdice_cli.report.verification import Verification
    from liarsdice_cli.solvers.double_oracle import certifying
    from liarsdice_cli.solvers.problem import Problem

    if len(files) > 1 or asked:
        raise UsageError(f"{files[-1]} contains its rules: leave the game out")
    progress.begin(f"reading {files[0]}")
    kept = read_strategy(files[0])
    progress.begin(f"evaluating {files[0]}")
    if isinstance(kept, Certificate):
        if sequential:
            raise UsageError(f"--refine is for .ldz files: {files[0]} lists only what its proof needs")
        found, bounds = certifying.judged(kept)
        kept.check(bounds)
    else:
        found = judge(kept, sequential=True) if sequential else judge(kept)
    return Verification(Problem.of(kept.rules), None, files[0], found, whole=True)


def _of_profile(files: tuple[str, ...], asked: RuleOptions, progress: Progress) -> Verification:
    """Return the evaluation of a profile."""
    from liarsdice_cli.cli.game import problem_of
    from liarsdice_cli.extensive.profile import EQUAL, LOCKED
    from liarsdice_cli.formats import registry
    from liarsdice_cli.formats.registry import read_profile
    from liarsdice_cli.library.judging import judge, judge_locked
    from liarsdice_cli.report.verification import Verification

    if len(files) > 2 or (len(files) == 2 and asked):
        raise UsageError("give a game and a profile, or a profile and rule options: liarsdice verify game.efg profile.json")
    source = files[0] if len(files) == 2 else None
    if source is None and not asked and registry.holds(files[0], registry.GAME):
        raise UsageError(f"{files[0]} is a game: name its profile too, as in `liarsdice verify {files[0]} profile.json`")
    one_pipe(source, files[-1])
    progress.begin("building the game" if source is None else f"reading {source}")
    problem = problem_of(source, asked)
    profile = read_profile(files[-1], problem.tree)
    progress.begin(f"evaluating {files[-1]}")
    free, locked = judge(profile), profile.count(LOCKED)
    completed = profile.count(EQUAL)
    if not locked:
        return Verification(problem, source, files[-1], free, completed)
    return Verification(problem, source, files[-1], judge_locked(profile), completed, free=free, locked=locked)
