"""The reference page of the library, generated from the public names and their docstrings."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

import liarsdice_cli

INTRODUCTION = """# Names of the library

The public names of `import liarsdice_cli as ld`. Everything else in the package may change without notice.
"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page of all public names, in the order of `__all__`."""
    sections = [section(name, named) for name, named in public_names()]
    files.append(File.generated(config, "reference/library.md", content="\n\n".join([INTRODUCTION, *sections, ""])))
    return files


def public_names() -> Iterator[tuple[str, Any]]:
    """Yield every public name with its object, including the names in public modules."""
    for name in liarsdice_cli.__all__:
        named = getattr(liarsdice_cli, name)
        if isinstance(named, ModuleType):
            yield from ((f"{name}.{one}", getattr(named, one)) for one in named.__all__)
        elif not name.startswith("__"):
            yield name, named


def section(name: str, named: Any) -> str:
    """Return the section of a public name, which mkdocstrings fills with its docstring."""
    return f"::: {named.__module__}.{named.__qualname__}\n    options:\n      heading: {name}\n      toc_label: {name}"
