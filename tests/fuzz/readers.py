"""Every reader of the program: valid inputs, and the command line that reads them."""

from __future__ import annotations

import gzip
import io
import json
import random
import zipfile
from pathlib import Path

import numpy as np

from tests.fuzz.games import GAMES
from tests.fuzz.mutation import mutated
from tests.fuzz.reader import Reader, given, made
from tests.support.checkpoints import mended
from tests.support.command_line import FORGETFUL, KUHN, PENNIES, ROOT

_COACH = ("coach", "--rules", "joker", "--sides", "2", "--iterations", "2")
_SEATED = ("Ann", "me", "--dice", "1,1")
_PERSON = ("honest", "--sides", "2", "--rounds", "2", "--hints", "--seed", "1")
_LOCK = "P2 roll 1 after 1x1: call 1/2, 1x2 1/2"
_SOLVED = ("--rules", "joker", "--sides", "2", "--method", "dcfr+")
_BY_HOUSE_RULES = (
    "--sides",
    "3",
    "--order",
    "halving",
    "--fixed-face",
    "--spot-on",
    "--wild",
    "1",
    "--stairs",
    "--method",
    "dcfr+",
)
_CERTIFIED = ("--rules", "joker", "--sides", "3", "--dice", "2,1", "--spot-on", "--method", "double-oracle")
_IN_SHARDS = ("--rules", "common", "--sides", "7", "--method", "dcfr+")
_OF_THREE = (*_SOLVED, "--dice", "1,1,1")


def _sum_mended(data: bytes, draw: random.Random) -> bytes:
    """Change a checkpoint anywhere or only in its head, and often correct its checksums."""
    head, line, rest = (*data.split(b"\n", 2), b"", b"")[:3]
    in_head = draw.random() < 0.6
    data = b"\n".join((head, mutated(line, draw).replace(b"\n", b" "), rest)) if in_head else mutated(data, draw)
    return mended(data) if draw.random() < 0.7 else data


def _packed_again(data: bytes, draw: random.Random) -> bytes:
    """Change an archive anywhere, or change one of its members and pack it with a random method."""
    if draw.random() < 0.5:
        return mutated(data, draw)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
    except Exception:  # earlier changes broke it
        return mutated(data, draw)
    name = draw.choice(["head.json", *members])
    members[name] = mutated(members.get(name, b""), draw)
    out = io.BytesIO()
    how = draw.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2))
    with zipfile.ZipFile(out, "w", how) as archive:
        for member, content in members.items():
            archive.writestr(member, content)
    return out.getvalue()


def _unpacked(data: bytes, draw: random.Random) -> bytes:
    """Change gzip data or its unpacked content."""
    try:
        return mutated(data, draw) if draw.random() < 0.5 else gzip.compress(mutated(gzip.decompress(data), draw))
    except Exception:  # earlier changes broke it
        return mutated(data, draw)


_OUTCOMES_JSON = json.dumps(
    {
        "players": ["Ann", "Bob"],
        "outcomes": [{"moves": ["Left", "Up"], "payoffs": [1, "1/3"]}, {"moves": ["Right"], "payoffs": {"Ann": 2, "Bob": 0.5}}],
    }
)
_SURROGATES = _OUTCOMES_JSON.replace("Ann", "A\\ud83d\\ude00")
_POSITIONS_JSON = '{"positions": {"a\\ud83d\\ude00": {"1": ["b"], "2": []}, "b": []}}'
_BOTS = ("zero-intelligence:0.3", "zero-intelligence:normal:0.1@1,1/2@3", "best-response:honest", "honest", "random")
_HISTORIES = ("1x1 2x1", "opening", "1x2", "1x1 1x2 2x1 2x2")
_NUMBERS = ("2", "1,1", "2,1", "0.3", "1/3", "1x2", "none", "1,2,3")


def _tables(folder: Path) -> list[bytes]:
    """Return a policy as numpy tables, plain and compressed."""
    table = {"": [[1, 0], [0, 1]], "* 1x2": [[[0.5, 0.5], [1, 0]]], "1x2 2x2": [[1], [1]], "2x2": [[1], [1]]}
    found = []
    for keep in (np.savez, np.savez_compressed):
        out = io.BytesIO()
        keep(out, **{name: np.array(rows, np.float64) for name, rows in table.items()})
        found.append(out.getvalue())
    return found


def _strategy_file(name: str, arguments: tuple[str, ...], game: tuple[str, ...], iterations: int) -> Reader:
    """Return the reader of a command that reads the strategy file of a game."""
    seeds = made("solve", *game, "--iterations", str(iterations), "-o", "OUTPUT.ldz")
    return Reader(name, arguments, seeds, change=_packed_again)


def _checkpoint(name: str, game: tuple[str, ...]) -> Reader:
    """Return the reader that resumes a checkpoint of a game for one more iteration."""
    solve = ("solve", *game, "--iterations")
    return Reader(name, (*solve, "6", "--checkpoint", "INPUT"), made(*solve, "5", "--checkpoint", "OUTPUT"), change=_sum_mended)


READERS = (
    Reader("efg", ("info", "INPUT"), lambda folder: [path.read_bytes() for path in (KUHN, PENNIES, FORGETFUL)]),
    Reader(
        "efg-of-liars-dice", ("info", "INPUT"), lambda folder: [(ROOT / "sample_games" / "liars-dice-2-sides.efg").read_bytes()]
    ),
    Reader("gzip", ("info", "INPUT"), lambda folder: [gzip.compress(KUHN.read_bytes(), mtime=0)], change=_unpacked),
    Reader("profile", ("verify", str(PENNIES), "INPUT"), made("solve", str(PENNIES), "-o", "OUTPUT")),
    Reader("profile-of-kuhn", ("verify", str(KUHN), "INPUT"), made("solve", str(KUHN), "--method", "lp", "-o", "OUTPUT")),
    _strategy_file("ldz-verify", ("verify", "INPUT.ldz"), _SOLVED, 9),
    _strategy_file("ldz-show", ("show", "INPUT.ldz", "1x2"), _SOLVED, 9),
    _strategy_file("ldz-of-three", ("verify", "INPUT.ldz"), _OF_THREE, 9),
    _strategy_file("ldz-of-house-rules", ("verify", "INPUT.ldz"), _BY_HOUSE_RULES, 2),
    Reader(
        "rest",
        ("resolve", "INPUT.ldz", "1x2", "--iterations", "2"),
        made("solve", *_SOLVED, "--iterations", "9", "-o", "OUTPUT.ldz"),
        change=_packed_again,
    ),
    Reader("certificate", ("verify", "INPUT.cert"), made("solve", *_CERTIFIED, "-o", "OUTPUT.cert")),
    Reader("certificate-show", ("show", "INPUT.cert", "1x2"), made("solve", *_CERTIFIED, "-o", "OUTPUT.cert")),
    _strategy_file("ldz-in-shards", ("verify", "INPUT.ldz"), _IN_SHARDS, 2),
    _strategy_file("ldz-in-shards-show", ("show", "INPUT.ldz", "1x2"), _IN_SHARDS, 2),
    _checkpoint("checkpoint-of-three", _OF_THREE),
    _checkpoint("checkpoint", _SOLVED),
    Reader("outcomes-csv", ("outcomes", "INPUT"), given("move,move,Ann,Bob\nLeft,Up,1,3\nLeft,Down,0.5,1/3\nRight,,2,2\n")),
    Reader("outcomes-json", ("outcomes", "INPUT"), given(_OUTCOMES_JSON)),
    Reader(
        "positions-csv",
        ("impartial", "positions", "INPUT"),
        given("from,to\n2,1\n2,0\n1,0\n0,\n", "from,to,player\na,b,1\na,,2\nb,,\n"),
    ),
    Reader(
        "positions-json",
        ("impartial", "positions", "INPUT"),
        given('{"positions": {"2": ["1", "0"], "1": ["0"], "0": []}}', '{"positions": {"a": {"1": ["b"], "2": []}, "b": []}}'),
    ),
    Reader("outcomes-to-efg", ("outcomes", "INPUT", "-o", "OUTPUT.efg"), given(_OUTCOMES_JSON, _SURROGATES)),
    Reader("positions-to-efg", ("impartial", "positions", "INPUT", "-o", "OUTPUT.efg"), given(_POSITIONS_JSON)),
    Reader("positions-drawn", ("impartial", "positions", "INPUT", "-o", "OUTPUT.svg"), given(_POSITIONS_JSON)),
    Reader("bachet", ("impartial", "bachet", "INPUT"), given("20 3 1 3 8\n21 3 1 3 8\n1000000 2 5 1\n")),
    Reader(
        "values-csv",
        ("values", "--sides", "2", "-o", "INPUT"),
        made("values", "--sides", "2", "--rules", "classic", "joker", "-o", "OUTPUT"),
    ),
    Reader(
        "values-csv-of-a-match",
        ("match", "--sides", "2", "--dice", "1,1", "-o", "INPUT"),
        made("values", "--sides", "2", "--order", "halving", "--spot-on", "--no-wild-opening", "-o", "OUTPUT"),
    ),
    Reader("bots", ("exploit", "INPUT", "--sides", "2"), given(*_BOTS), is_text=True),
    Reader(
        "bots-to-play",
        ("play", "INPUT", "--sides", "2", "--seed", "1"),
        given(*_BOTS, "resolving:0.2", "resolving:0.2:rational"),
        is_text=True,
    ),
    Reader("table", ("exploit", "table:INPUT.npz", "--rules", "joker", "--sides", "2"), _tables, change=_packed_again),
    Reader(
        "safe",
        ("safe-exploit", "honest", "--rules", "joker", "--sides", "2", "--max-risk", "INPUT"),
        given("1/50", "0.1", "all"),
        is_text=True,
    ),
    Reader(
        "lock", ("solve", "--sides", "2", "--lock", "INPUT"), given(_LOCK, "P1 roll 2 opening: 1x1 1/3, 2x2 2/3"), is_text=True
    ),
    Reader("locks", ("solve", "--sides", "2", "--lock", "INPUT"), given(f"# of two\n{_LOCK}\nP1 roll 2 opening: 1x2 1\n")),
    Reader(
        "beliefs",
        ("solve", "--sides", "2", "--from", "1x1", "--beliefs", "INPUT"),
        given("P1 roll 1: 1/2\nP1 roll 2: 3\n# all others are fair\nP2 roll 1: 0.5\n"),
    ),
    Reader("person", ("play", *_PERSON), given("1x1\ncall\n1x2\nundo\n2x2\nquit\n", "?\n1 1\nc\n")),
    Reader(
        "coached",
        (*_COACH, *_SEATED),
        given("1x1\n2\n1x2\ncall\nAnn\n\n1\n", "?\nodds\ndice 1\n1x1\nundo\nnew me\nlost Ann\nquit\n"),
    ),
    Reader(
        "coached-program",
        (*_COACH, *_SEATED, "--json"),
        given("1x1\n2\n1x2\ncall\n1\n", "dice 1\n1x1\nundo\nnew me\nlost Ann\n"),
    ),
    Reader("coached-asked", _COACH, given("Ann me\n1\nme\n1\n1x1\ncall\n", "Ann Bob me\n1,1,2\n\nquit\n")),
    Reader("coached-name", (*_COACH, "INPUT", "me", "--dice", "1,1", "--json"), given("Ann", "Bob"), is_text=True),
    Reader(
        "sweep",
        ("sweep", "zero-intelligence", "INPUT", "--sides", "2"),
        given("0.2..0.8:0.3", "all"),
        is_text=True,
    ),
    Reader(
        "history",
        ("show", "--sides", "2", "INPUT"),
        given(*_HISTORIES),
        is_text=True,
    ),
    Reader("part", ("draw", str(KUHN), "--from", "INPUT", "-o", "-"), given("b p b", "opening"), is_text=True),
    *(
        Reader(f"number-{option.strip('-')}", (*before, option, "INPUT"), given(*_NUMBERS), is_text=True)
        for before, option in (
            (("info",), "--sides"),
            (("info", "--sides", "2"), "--dice"),
            (("info", "--sides", "2"), "--max-quantity"),
            (("info", "--sides", "2"), "--wild"),
            (("probability", "1,2", "3"), "--level"),
            (("--max-input",), ""),
        )
        if option
    ),
    *(
        Reader(f"number-{name}", (*before, "INPUT"), given(*_NUMBERS), is_text=True)
        for name, before in (
            ("unknown", ("probability", "1,2")),
            ("bid", ("probability", "1,2", "3")),
            ("chips", ("impartial", "takeaway")),
            ("take", ("impartial", "takeaway", "9")),
            ("sum", ("impartial", "grundy", "nim 1")),
        )
    ),
    *(
        Reader(
            f"model-{before[-1].strip('-') or 'others'}",
            ("model", *before, "INPUT"),
            given(*_NUMBERS),
            is_text=True,
        )
        for before in (("--",), ("--own",), ("--z-score",), ("--holds",), ("--holds", "0.2", "--calls"))
    ),
    Reader(
        "game-of-heaps",
        ("impartial", "grundy", "--values", "9", "--", "INPUT"),
        given("kayles", "0.137", "1,2,3"),
        is_text=True,
    ),
    Reader("heaps", ("impartial", "nim", "--", "INPUT"), given("3", "4 5"), is_text=True),
    *GAMES,
    Reader("max-input", ("--max-input", "INPUT", "info", str(PENNIES)), given("20GB", "1.5 MB", "900"), is_text=True),
)
"""One row for each reader."""
