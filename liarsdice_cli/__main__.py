"""The command `liarsdice`, which is also `python -m liarsdice_cli`."""

import sys  # and nothing else: Ctrl-C during imports at this level prints a traceback


def main() -> None:
    """Run the command line; Ctrl-C ends the process with code 130 even while the program is imported."""
    try:
        from liarsdice_cli.cli.main import main as run

        run()
    except KeyboardInterrupt:
        print("liarsdice: interrupted", file=sys.stderr)
        exec("")  # as in `cli.main._forget_interrupts`
        sys.exit(130)


if __name__ == "__main__":
    main()
