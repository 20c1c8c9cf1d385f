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
"""Values by bidding rule, sides and dice of each player: what OpenSpiel 2.0.2 answers on its own game, by

    sequence_form_lp.solve_zero_sum_game(pyspiel.load_game("liars_dice", parameters))[0]

with cvxpy 1.9.3 and ECOS. OpenSpiel has no other bidding rules, and gives all players as many dice.
"""

BIDDING_RULES = {"reset-face": "top-wild", "reset-quantity": "face-first"}
