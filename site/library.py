"""The reference of the library, made from the public names and their docstrings."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

import liarsdice_cli

INTRODUCTION = """# Names of the library

What `import liarsdice_cli as ld` offers. Everything else in the package may change without notice.
"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The page of all public names, in the order of `__all__`."""
    sections = [section(name, named) for name, named in public_names()]
    files.append(File.generated(config, "reference/library.md", content="\n\n".join([INTRODUCTION, *sections, ""])))
    return files


def public_names() -> Iterator[tuple[str, Any]]:
    """Yield all public names with what they name, those in public modules included."""
    for name in liarsdice_cli.__all__:
        named = getattr(liarsdice_cli, name)
        if isinstance(named, ModuleType):
            yield from ((f"{name}.{one}", getattr(named, one)) for one in named.__all__)
        elif not name.startswith("__"):
            yield name, named


def section(name: str, named: Any) -> str:
    """The place of a public name, under which stands what is said where it was written."""
    return f"::: {named.__module__}.{named.__qualname__}\n    options:\n      heading: {name}\n      toc_label: {name}"
