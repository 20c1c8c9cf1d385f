"""Pages of the notebooks: their text and code, with a link to the file to run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel

FOLDER = Path(__file__).parents[1] / "notebooks"
NOT_IN_NAVIGATION = InclusionLevel.NOT_IN_NAV


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add every notebook, and a page with its content."""
    for path in sorted(FOLDER.glob("*.ipynb")):
        page = f"{as_markdown(json.loads(path.read_text()))}\n\nTo run it: [{path.name}]({path.name}).\n"
        files.append(File.generated(config, f"notebooks/{path.name}", abs_src_path=str(path)))
        files.append(File.generated(config, f"notebooks/{path.stem}.md", content=page, inclusion=NOT_IN_NAVIGATION))
    return files


def as_markdown(notebook: dict[str, Any]) -> str:
    """Return the cells of a notebook as Markdown, in their order."""
    return "\n\n".join(_cell(cell["cell_type"], "".join(cell["source"])) for cell in notebook["cells"])


def _cell(kind: str, source: str) -> str:
    return f"```python\n{source}\n```" if kind == "code" else source
