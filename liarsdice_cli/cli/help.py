"""Help pages that begin with an example."""

from __future__ import annotations

from typing import Any

import click

from liarsdice_cli.cli.option_table import HEADINGS, heading


class CommandWithExample(click.Command):
    """A command whose help begins with example command lines; -h or --help prints it, with or without a parent command."""

    def __init__(self, *arguments: Any, example: str = "", **settings: Any) -> None:
        settings.setdefault("context_settings", {"help_option_names": ["-h", "--help"]})
        super().__init__(*arguments, **settings)
        self.example = example

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options below their headings, the advanced ones last."""
        groups: dict[str, list[tuple[str, str]]] = {name: [] for name in HEADINGS}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                groups[heading(_name(parameter))].append(record)
        for name, records in groups.items():
            if records:
                with formatter.section(name):
                    formatter.write_dl(records)
        if isinstance(self, click.Group):
            self.format_commands(ctx, formatter)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples, then click's page."""
        write_example(self.example, formatter)
        super().format_help(ctx, formatter)


class GroupWithExample(CommandWithExample, click.Group):
    """A group of commands whose help begins with example command lines."""


def _name(parameter: click.Parameter) -> str:
    """Return the long name of an option, without dashes."""
    return next((name[2:] for name in parameter.opts if name.startswith("--")), "")


def write_example(example: str, formatter: click.HelpFormatter) -> None:
    """Write the lines of the example, before everything else."""
    with formatter.section("Example"):
        for line in example.strip().splitlines():
            formatter.write(f"  {line.strip()}\n")
    formatter.write_paragraph()
