"""Values of games that others have published or computed."""

from __future__ import annotations

from fractions import Fraction

VALUES = {
    "classic": ("0", "-1/9", "-1/8", "-3/25", "-1/9"),
    "common": ("0", "-1/9", "-1/8", "-3/25", "-1/9"),
    "joker": ("1", "1/3", "0", "0", "-7/327"),
    "top-wild": ("1/2", "1/9", "1/16", "1/125", "-7/258"),
}
"""The table of the design: values to player 1 in +1/-1 for one die each with 2 to 6 sides."""

SNYD = {
    ("common", (2, 1)): ("1", "1/4", "1/9", "345/1696", "2128/8375", "212027/771552"),
    ("common", (1, 2)): ("1", "0", "-1/27", "-1/8", "-27/125", "-22/81"),
    ("joker", (2, 1)): (None, "1", "1/3", "1/4", "34/125", "7/27"),
    ("joker", (1, 2)): (None, "1", "-1/27", "-1/32", "-3/125", "-5/54"),
    ("snyd", (1, 1)): (None, "0", "1/9", "0", "1/25"),
}
"""Values to player 1 in +1/-1 with 1 to 6 sides, from the README of Ahle's program snyd
(https://github.com/thomasahle/snyd, 2021-22). The README rounds the value of `common` 2,1 with six sides; that value is from
the last line of `outputs/21_6.normal`.

Its modes are called normal, joker and stairs. For stairs with one die and six sides it gives 0, as does docs/values.csv; a test
of this value would take too long. Its values of stairs with two dice are those of another rule: see `AS_THEY_FELL`.
"""

SNYD_TABLE = [
    (name, sides, dice, Fraction(value))
    for (name, dice), row in SNYD.items()
    for sides, value in enumerate(row, 1)
    if value is not None
]

AS_THEY_FELL = {
    (2, (2, 1)): "3/8",
    (3, (2, 1)): "1/27",
    (4, (2, 1)): "1/16",
    (2, (1, 2)): "-1/4",
    (3, (1, 2)): "-1/27",
    (4, (1, 2)): "1/16",
}
"""Values of stairs by sides and dice from the same README. There several dice are stairs only if they fell as 1, 2, ..., n."""

TABLE = [(name, sides, Fraction(value)) for name, row in VALUES.items() for sides, value in enumerate(row, 2)]

OPENSPIEL = {
    ("reset-face", 2, 1): 0.49999999987932314,
    ("reset-face", 3, 1): 0.11111111107119274,
    ("reset-face", 4, 1): 0.06249999999542271,
    ("reset-quantity", 2, 1): 4.076906273819278e-11,
    ("reset-quantity", 3, 1): 0.11111111110043503,
    ("reset-quantity", 4, 1): 1.9187738416274217e-11,
    ("reset-face", 2, 2): 0.8749999999981497,
    ("reset-quantity", 2, 2): 0.12499999999906793,
}
"""Values by bidding rule, sides and dice of each player: the result of OpenSpiel 2.0.2 on its own game, by

    sequence_form_lp.solve_zero_sum_game(pyspiel.load_game("liars_dice", parameters))[0]

with cvxpy 1.9.3 and ECOS. OpenSpiel has no other bidding rules, and gives all players the same number of dice.
"""

BIDDING_RULES = {"reset-face": "top-wild", "reset-quantity": "face-first"}
