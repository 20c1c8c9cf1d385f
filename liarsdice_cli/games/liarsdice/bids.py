"""Bids, and how a person types them."""

from __future__ import annotations

import re
from typing import NamedTuple


class Bid(NamedTuple):
    """The claim that among all dice at least `quantity` match `face`."""

    quantity: int
    face: int

    def __str__(self) -> str:
        return f"{self.quantity}x{self.face}"


_TYPED = re.compile(r"\s*([0-9]{1,9})\s*[x*, ]\s*([0-9]{1,4})\s*", re.IGNORECASE)


def typed_bid(text: str) -> Bid | None:
    """Return the bid that a person types: quantity and face with x, *, a comma or blanks between; None for anything else.

    >>> typed_bid("2x3"), typed_bid("2 3"), typed_bid("2 of 3")
    (Bid(quantity=2, face=3), Bid(quantity=2, face=3), None)
    """
    found = _TYPED.fullmatch(text)
    return None if found is None else Bid(int(found[1]), int(found[2]))
