"""The reference page of the commands, generated from the same definitions as `--help`."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from liarsdice_cli.cli.main import COMMANDS, cli

INTRODUCTION = """# Commands

Every command and option, as in `--help`. [The command line](../docs/command-line.md) describes pipes, exit codes,
messages and shell completion.
"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page of all commands."""
    root = click.Context(cli, info_name="liarsdice")
    sections = [section for name in COMMANDS for section in described(cli.get_command(root, name), name, root)]
    files.append(File.generated(config, "reference/commands.md", content="\n\n".join([INTRODUCTION, *sections, ""])))
    return files


def described(command: click.Command | None, name: str, parent: click.Context, level: int = 2) -> Iterator[str]:
    """Yield the Markdown blocks of a command and of its subcommands."""
    assert command is not None
    context = click.Context(command, info_name=name, parent=parent)
    yield f"{'#' * level} {context.command_path.removeprefix('liarsdice ')}"
    yield text(command.help or "")
    yield f"```console\n{getattr(command, 'example', '').strip()}\n```"
    yield f"`{context.command_path} {' '.join(command.collect_usage_pieces(context))}`"
    records = [parameter.get_help_record(context) for parameter in command.get_params(context)]
    yield "\n\n".join(f"`{names}`\n:   {text(meaning)}" for names, meaning in filter(None, records) if meaning)
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            yield from described(command.get_command(context, below), below, context, level + 1)


def text(words: str) -> str:
    """Return help as Markdown: escape all markup except backticks, and link the pages of docs."""
    plain = re.sub(r"([*_<>\[\]|])", r"\\\1", inspect.cleandoc(words))
    return re.sub(r"\bdocs/([\w-]+)\.md", r"[docs/\1.md](../docs/\1.md)", plain)
