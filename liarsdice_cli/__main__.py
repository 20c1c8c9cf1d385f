"""`python -m liarsdice_cli` is the command `liarsdice`."""

from liarsdice_cli.cli.main import main

if __name__ == "__main__":
    main()
