"""Help pages that begin with an example."""

from __future__ import annotations

from typing import Any

import click


class _WithExample(click.Command):
    """A page that begins with example command lines, asked for by -h or --help whether or not there is a parent command."""

    def __init__(self, *arguments: Any, example: str = "", **settings: Any) -> None:
        settings.setdefault("context_settings", {"help_option_names": ["-h", "--help"]})
        super().__init__(*arguments, **settings)
        self.example = example

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples, then the page as click makes it."""
        write_example(self.example, formatter)
        super().format_help(ctx, formatter)


class CommandWithExample(_WithExample):
    """A command whose help begins with example command lines."""


class GroupWithExample(_WithExample, click.Group):
    """A group of commands whose help begins with example command lines."""


def write_example(example: str, formatter: click.HelpFormatter) -> None:
    """The lines of the example, before everything else."""
    with formatter.section("Example"):
        for line in example.strip().splitlines():
            formatter.write(f"  {line.strip()}\n")
    formatter.write_paragraph()
