"""The reference of the library, made from the public names and their docstrings."""

from __future__ import annotations

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

import liarsdice_cli

INTRODUCTION = """# The library

What `import liarsdice_cli as ld` offers. Everything else in the package may change without notice.
"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The page of all public names, in the order of `__all__`."""
    names = [name for name in liarsdice_cli.__all__ if not name.startswith("__")]
    sections = [f"::: liarsdice_cli.{name}" for name in names]
    files.append(File.generated(config, "reference/library.md", content="\n\n".join([INTRODUCTION, *sections, ""])))
    return files
