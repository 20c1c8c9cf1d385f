"""Write docs/json.md and docs/schemas from the classes of the JSON documents."""

from __future__ import annotations

import ast
import inspect
import json
import re
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from liarsdice_cli.formats.documents import KINDS, schema

DOCS = Path(__file__).parents[1] / "docs"
_FIELD = re.compile(r"^(\w+) +: (.*(?:\n +.*)*)", re.MULTILINE)
_NUMBER = {str, float}
_NAMES = {str: "string", int: "integer", float: "JSON number", bool: "boolean", NoneType: "null", Any: "any"}
_INTRODUCTION = """# JSON

<!-- `make json` writes this page from liarsdice_cli/formats/documents. -->

With `--json`, a command prints one JSON document on standard output. `solve -o` writes a profile as a JSON file.

**Versions.** The key `schema` has the kind and the version of the document. The version rises when a key changes its meaning or
is removed. New keys may appear without a new version: ignore keys that you do not know.

**Numbers.** A *number* in the tables below is a string with an integer or a fraction (`"4/9"`, `"-1"`) if it is exact, and a
JSON number (`0.25`) if it is a float. Players count from 1. A list with one entry for each player begins with player 1.

**Rules.** `rules` are the arguments of `liarsdice_cli.rules`, so `rules(**document["rules"])` makes the
game again. For a game from a file `rules` is null.

**Errors.** After an error there is no document. The message is one line on standard error; see the
[exit codes](command-line.md#exit-codes).

The JSON Schemas (draft 2020-12) are also installed, in `share/liarsdice-cli/schemas` of the Python environment.
"""


def schema_of(kind: str) -> dict[str, Any]:
    """Return the JSON Schema of a kind of document."""
    content = KINDS[kind].content
    found = _object(content)
    found["properties"] = {"schema": {"const": schema(kind)}} | found["properties"]
    found["required"] = ["schema", *found["required"]]
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": schema(kind)}
    parts = {part.__name__: _object(part) for part in _parts(content)}
    exact = {"type": "string", "pattern": "^-?[0-9]+(/[0-9]+)?$"}
    text = "A fraction in a string if the number is exact, a JSON number if it is a float."
    number = {"description": text, "oneOf": [exact, {"type": "number"}]}
    return head | found | {"$defs": {"Number": number} | parts}


def page() -> str:
    """Return the text of docs/json.md."""
    shared = dict.fromkeys(part for kind in KINDS.values() for part in (*_parts(kind.content), *_bases(kind.content)))
    documents = [_document(kind) for kind in KINDS]
    return "\n".join([_INTRODUCTION, _kinds(), *documents, "## Parts of documents\n", *map(_part, shared)])


def files() -> dict[Path, str]:
    """Return the content of every generated file by its path."""
    schemas = {DOCS / "schemas" / f"{kind}.json": json.dumps(schema_of(kind), indent=2) + "\n" for kind in KINDS}
    return {DOCS / "json.md": page()} | schemas


def _kinds() -> str:
    rows = [f"| [{kind}](#{kind}) | `{schema(kind)}` | [schemas/{kind}.json](schemas/{kind}.json) |" for kind in KINDS]
    return "\n".join(["| kind | `schema` | JSON Schema |", "|---|---|---|", *rows, ""])


def _document(kind: str) -> str:
    printers = ", ".join(f"`{command}`" for command in KINDS[kind].printers) or "`solve -o`"
    return f"## {kind}\n\nFrom {printers}. {_body(KINDS[kind].content)}"


def _part(part: type) -> str:
    return f"### {part.__name__}\n\n{_body(part)}"


def _body(part: type) -> str:
    """Return the description of a class, and a table of its own keys."""
    text = " ".join(_prose(part).split())
    inherited = " and ".join(f"[{base.__name__}](#{base.__name__.lower()})" for base in _declared_bases(part))
    rows = [f"| `{key}` | {_type_name(type)} | {_fields(part)[key]} |" for key, type in _own(part).items()]
    lines = [f"{text}{f' It has the keys of {inherited}' + (', and:' if rows else '.') if inherited else ''}", ""]
    return "\n".join([*lines, *(["| key | type | meaning |", "|---|---|---|", *rows, ""] if rows else [])])


def _prose(part: type) -> str:
    """Return the docstring of a class without its list of fields."""
    return _FIELD.sub("", inspect.getdoc(part) or "").strip()


def _fields(part: type) -> dict[str, str]:
    """Return the description of each field in a class's own docstring."""
    return {name: " ".join(text.split()) for name, text in _FIELD.findall(inspect.getdoc(part) or "")}


def _own(part: type) -> dict[str, Any]:
    """Return the types of the keys that a class adds to its bases."""
    inherited = {key for base in _declared_bases(part) for key in _hints(base)}
    return {key: type for key, type in _hints(part).items() if key not in inherited}


def _hints(part: type) -> dict[str, Any]:
    return get_type_hints(part, include_extras=True)


def _declared_bases(part: type) -> list[type]:
    """Return the TypedDicts that a class names as its bases, from its source: Python 3.11 does not store them."""
    module = inspect.getmodule(part)
    (node,) = ast.parse(inspect.getsource(part)).body
    assert isinstance(node, ast.ClassDef)
    named = [getattr(module, base.id) for base in node.bases if isinstance(base, ast.Name)]
    return [base for base in named if is_typeddict(base)]


def _bases(part: type) -> list[type]:
    """Return all bases of a class."""
    return [found for base in _declared_bases(part) for found in (*_bases(base), base)]


def _parts(part: type) -> list[type]:
    """Return the classes of all objects within a document."""
    found: dict[type, None] = {}
    todo = [*_hints(part).values()]
    while todo:
        one = todo.pop(0)
        if is_typeddict(one) and one not in found:
            found[one] = None
            todo += _hints(one).values()
        todo += [argument for argument in get_args(one) if get_origin(one) not in (Annotated, Literal)]
    return list(found)


def _object(part: type) -> dict[str, Any]:
    """Return the schema of an object."""
    hints = _hints(part)
    fields = {key: text for one in (*_bases(part), part) for key, text in _fields(one).items()}
    return {
        "description": _prose(part),
        "type": "object",
        "additionalProperties": False,
        "required": [key for key, hint in hints.items() if get_origin(hint) is not NotRequired],
        "properties": {key: _schema(hint) | {"description": fields[key]} for key, hint in hints.items()},
    }


def _schema(hint: Any) -> dict[str, Any]:
    """Return the schema of a value of this type."""
    arguments = get_args(hint)
    if is_typeddict(hint):
        return {"$ref": f"#/$defs/{hint.__name__}"}
    if get_origin(hint) is NotRequired:
        return _schema(arguments[0])
    if get_origin(hint) in (Annotated, Literal):
        return {"enum": list(_choices(hint))}
    if get_origin(hint) is list:
        return {"type": "array", "items": _schema(arguments[0])}
    if get_origin(hint) is dict:
        return {"type": "object", "additionalProperties": _schema(arguments[1])}
    if get_origin(hint) in (Union, UnionType):
        return _union(arguments)
    plain = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}
    return {"type": plain[hint]} if hint in plain else {}


def _choices(hint: Any) -> tuple[Any, ...]:
    """Return the values that a type allows: those of a Literal, or the tuple of an annotated string."""
    choices: tuple[Any, ...] = hint.__metadata__[0] if get_origin(hint) is Annotated else get_args(hint)
    return choices


def _union(arguments: tuple[Any, ...]) -> dict[str, Any]:
    number = [{"$ref": "#/$defs/Number"}] if set(arguments) >= _NUMBER else []
    others = [_schema(one) for one in arguments if not (number and one in _NUMBER)]
    return number[0] if number and not others else {"oneOf": [*number, *others]}


def _type_name(hint: Any) -> str:
    """Return the type of a value in words."""
    arguments = get_args(hint)
    if is_typeddict(hint):
        return f"[{hint.__name__}](#{hint.__name__.lower()})"
    if get_origin(hint) is NotRequired:
        return _type_name(arguments[0]) + ", optional"
    if get_origin(hint) in (Annotated, Literal):
        return ", ".join(f"`{json.dumps(value)}`" for value in _choices(hint))
    if get_origin(hint) is list:
        return f"list of {_type_name(arguments[0])}"
    if get_origin(hint) is dict:
        return f"object of {_type_name(arguments[1])}"
    if get_origin(hint) in (Union, UnionType):
        number = ["number"] if set(arguments) >= _NUMBER else []
        return " or ".join([*number, *(_type_name(one) for one in arguments if not (number and one in _NUMBER))])
    return _NAMES[hint]


def main() -> None:
    """Write all files, and delete schemas of kinds that no longer exist."""
    wanted = files()
    for path in (DOCS / "schemas").glob("*.json"):
        if path not in wanted:
            path.unlink()
    for path, text in wanted.items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
