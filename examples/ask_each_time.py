"""Let a program that answers one prompt and ends, such as a language model's, play by the text protocol.

    liarsdice arena "command:python examples/ask_each_time.py ollama run MODEL" equilibrium honest --rules common

The program starts anew for every decision, reads the prompt and prints the answer; its last line counts.
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
