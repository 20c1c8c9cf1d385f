"""The reference of the library, made from the public names and their docstrings."""

from __future__ import annotations

from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

import liarsdice_cli

INTRODUCTION = """# Names of the library

What `import liarsdice_cli as ld` offers. Everything else in the package may change without notice.
"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The page of all public names, in the order of `__all__`."""
    names = [name for name in liarsdice_cli.__all__ if not name.startswith("__")]
    sections = [section(name, getattr(liarsdice_cli, name)) for name in names]
    files.append(File.generated(config, "reference/library.md", content="\n\n".join([INTRODUCTION, *sections, ""])))
    return files


def section(name: str, named: Any) -> str:
    """The place of a public name, under which stands what is said where it was written."""
    return f"::: {named.__module__}.{named.__qualname__}\n    options:\n      heading: {name}\n      toc_label: {name}"
