"""Let a program that answers one prompt and exits, such as the client of a language model, play by the text protocol.

    liarsdice arena "command:python examples/ask_each_time.py ollama run MODEL" equilibrium honest --rules common

The program is started for every decision. It reads the prompt from standard input and prints its answer, of which only the last
line counts.
"""

from __future__ import annotations

import subprocess
import sys


def main() -> None:
    """Pass each prompt on, and print the last line of the answer."""
    lines: list[str] = []
    for line in sys.stdin:
        lines.append(line)
        if line.strip():
            continue
        ended = subprocess.run(sys.argv[1:], input="".join(lines), capture_output=True, text=True, check=False)
        said = ended.stdout.strip().splitlines() or [""]
        print(said[-1], flush=True)
        lines = []


if __name__ == "__main__":
    main()
