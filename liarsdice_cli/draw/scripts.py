"""Join the ES modules of a page into one script, since a page is a single file that can load nothing else.

A module must keep to this form, so that joining needs no parser:

- an import stands at the start of a line: `import { a, b } from "./other.js";`, without renaming and without a default
- an export is the word `export` before a declaration at the start of a line
- no two modules of a page declare the same name at their top level; the joined modules share one scope
- imports have no cycles
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import NamedTuple

_IMPORT = re.compile(r'^import \{([^{}]*)\} from "(\.[^"]+)";\n', re.MULTILINE)
_DECLARATION = re.compile(
    r"^(export )?(?:async function|function|class|const|let) (?:(\w+)|\[([^\]]*)\]|\{([^}]*)\})", re.MULTILINE
)
_LEFT_OVER = re.compile(r"^\s*(?:import|export)\b.*", re.MULTILINE)


class Module(NamedTuple):
    """A module: its script without imports and exports, the names that it imports by module, and those that it declares."""

    script: str
    imports: dict[str, set[str]]
    exported: set[str]
    private: set[str]


@cache
def joined(entry: str) -> str:
    """Return the script of a page: the module `entry` of this package, such as "coach/coach.js", after all that it imports.

    Raises ValueError, naming the module, if one does not keep to the form above.
    """
    modules: dict[str, Module] = {}
    _collect(entry, modules, ())
    owners: dict[str, str] = {}
    for name, module in modules.items():
        for declared in module.exported | module.private:
            if declared in owners:
                raise ValueError(f"{name} and {owners[declared]} both declare {declared}")
            owners[declared] = name
    return '"use strict";\n' + "\n".join(module.script for module in modules.values())


def _collect(name: str, modules: dict[str, Module], path: tuple[str, ...]) -> None:
    """Add a module after the modules that it imports, each once."""
    if name in path:
        raise ValueError("modules import each other: " + " -> ".join((*path, name)))
    if name in modules:
        return
    module = parsed(name, (files(__package__) / name).read_text("utf-8"))
    for source, names in module.imports.items():
        _collect(source, modules, (*path, name))
        if missing := names - modules[source].exported:
            raise ValueError(f"{name} imports {', '.join(sorted(missing))}, which {source} does not export")
    modules[name] = module


def parsed(name: str, text: str) -> Module:
    """Return the module of a text; ValueError if it imports or exports in another form.

    >>> module = parsed("a/b.js", 'import { x } from "../c.js";\\nexport const y = x;\\n')
    >>> module.script, module.imports, module.exported
    ('const y = x;\\n', {'c.js': {'x'}}, {'y'})
    """
    imports: dict[str, set[str]] = {}
    for names, source in _IMPORT.findall(text):
        found = posixpath.normpath(posixpath.join(posixpath.dirname(name), source))
        imports.setdefault(found, set()).update(_names(names))
    exported: set[str] = set()
    private: set[str] = set()
    for export, *declared in _DECLARATION.findall(text):
        (exported if export else private).update(name for names in declared for name in _names(names))
    script = _IMPORT.sub("", text)
    script = _DECLARATION.sub(lambda match: match[0].removeprefix("export "), script)
    if other := _LEFT_OVER.search(script):
        raise ValueError(f"{name} has a line that cannot be joined: {other[0]}")
    return Module(script.lstrip("\n"), imports, exported, private)


def _names(text: str) -> Iterator[str]:
    return (name for part in text.split(",") if (name := part.strip()))
