"""Check certificates: python check.py FILE.cert [FILE.cert.gz ...]. Needs Python 3.10 or later and nothing else.

A certificate (docs/certificates.md) has the rules of a round of Liar's Dice for two, a value V, and what both players do after
some histories. Elsewhere they call. This program computes the best response to each strategy in the whole game. If player 1's
secures V, and player 2's holds player 1 to V, then V is the value. Reach probabilities are integers over a common denominator.
If it would exceed MOST, it is WHOLE, and products are rounded up, so that a best response seems to win slightly more.
"""

import gzip
import sys
from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, lcm, prod

MOST, WHOLE = 10**2000, 2**512


def need(true, fault):
    """Raise ValueError, with the fault, unless something is true."""
    if not true:
        raise ValueError(fault)


class Certificate:
    """The rules and the strategies. A history is a tuple of bids, which are numbered from 0; a roll is its place in `rolls`."""

    def __init__(self, lines):
        lines = [line.split() for line in lines if line.strip() and not line.startswith("#")]
        start = next(number for number, words in enumerate(lines) if words[0] in ("opening", "after"))
        head = {words[0]: words[1:] for words in lines[1:start]}
        need(lines[0] == ["liarsdice", "certificate", "1"] and len(head) == start - 1, "another format, or a repeated line")
        self.wild, self.stairs, self.run = head["wild"][0], ["no", "yes"].index(head["stairs"][0]), int(head["run"][0])
        self.endings = ["call", "spot-on"][: 1 + ["no", "yes"].index(head["spot-on"][0])]
        numbers = head["payoffs"] + (head.get("value", []) * 2 or head["bounds"])
        self.win, self.lose, self.least, self.most = (Fraction(word.lower().replace("e", "?")) for word in numbers)
        need(self.win > self.lose and len(head["dice"]) == 2 == len(head["wild"] + head["stairs"]), "no rules for two players")
        self.rules = ", ".join(" ".join([one, *head[one]]) for one in ("sides", "dice", "wild", "stairs", "spot-on", "payoffs"))
        self.names, openings = head["bids"], head["bids"] if head["openings"] == ["all"] else head["openings"]
        self.openings = [self.names.index(name) for name in openings]
        self.bids = [tuple(map(int, name.split("x"))) for name in self.names]
        faces = range(1, int(head["sides"][0]) + 1)
        self.rolls = [list(combinations_with_replacement(faces, int(dice))) for dice in head["dice"]]
        self.ways = [[factorial(len(r)) // prod(map(factorial, Counter(r).values())) for r in rolls] for rolls in self.rolls]
        self.counts = [[[self.matching(roll, face) for roll in rolls] for _, face in self.bids] for rolls in self.rolls]
        self.strategies = {}
        for words in lines[start:]:
            if words[0] in ("opening", "after"):
                history = tuple(map(self.names.index, words[1:]))
                legal = all(bid in self.following(history[:place]) for place, bid in enumerate(history))
                need(legal and history not in self.strategies, f"{words} breaks the rules, or is listed twice")
                rolls = self.strategies[history] = {}
            else:
                roll = self.rolls[len(history) % 2].index(tuple(map(int, words[0].split("-") if "-" in words[0] else words[0])))
                need(roll not in rolls, f"{words[0]} is listed twice")
                rolls[roll] = self.shares(history, words[1::2], list(map(int, words[2::2])))
        need(len(self.strategies[()]) == len(self.rolls[0]), "the opening lacks a roll")

    def matching(self, roll, face):
        """The number of dice that count for a bid on the face."""
        if self.stairs and roll == tuple(range(1, len(roll) + 1)):
            return len(roll) + 1
        return sum(die == face or str(die) == self.wild for die in roll)

    def following(self, history):
        """The bids that may follow: the higher ones of the run in which the last bid stands."""
        return range(history[-1] + 1, history[-1] - history[-1] % self.run + self.run) if history else self.openings

    def shares(self, history, actions, weights):
        """The probability of each action: its weight divided by the sum of the weights."""
        need(len(set(actions)) == len(weights) > 0 and min(weights) > 0, "a weight is missing or below 1")
        legal = {self.names[bid]: bid for bid in self.following(history)} | {one: one for one in self.endings if history}
        return {legal[action]: Fraction(weight, sum(weights)) for action, weight in zip(actions, weights, strict=True)}

    def denominator(self, player):
        """A common denominator of the reach probabilities of a player's strategy, or WHOLE."""
        reach, found = {}, 1
        for history in sorted((one for one in self.strategies if len(one) % 2 == player), key=len):
            for roll, shares in self.strategies[history].items():
                before = reach.get((history[:-1], roll), 0) if len(history) > 1 else 1
                for action, share in shares.items():
                    number = reach[(*history, action), roll] = before * share
                    if (found := lcm(found, number.denominator)) > MOST:
                        return WHOLE
        return found

    def wins(self, player):
        """The probability with which a best response to a player's strategy wins, or slightly more if it is rounded."""
        other, one = 1 - player, self.denominator(player)

        def stands(bid, reach, ending="call"):
            """For each roll of the responder, the weight with which a bid is true; for spot-on, not exactly right."""
            weights, least, mine = Counter(), self.bids[bid][0], self.counts[other][bid]
            holds = int.__ge__ if ending == "call" else int.__ne__
            for count, weight in zip(self.counts[player][bid], reach, strict=True):
                weights[count] += weight
            found = {own: sum(w for count, w in weights.items() if holds(count + own, least)) for own in set(mine)}
            return [found[own] for own in mine]

        def after_listed(history, reach):
            """What the responder wins with each roll where the strategy moves."""
            strategy, parts, won = self.strategies[history], {}, []
            for roll, weight in enumerate(reach):
                for action, share in strategy.get(roll, {"call": Fraction(1)}).items() if weight else ():
                    part = parts.setdefault(action, [0] * len(reach))
                    part[roll] = -(-weight * share.numerator // share.denominator)  # rounded up, if it must be
            for action, part in parts.items():
                won.append(stands(history[-1], part, action) if action in self.endings else best((*history, action), part))
            return [sum(column) for column in zip(*won, strict=True)]

        def best(history, reach):
            """What the responder wins with each roll by its best action."""
            ends = [stands(history[-1], reach, ending) for ending in self.endings] if history else []
            won = [[sum(reach) - weight for weight in weights] for weights in ends]
            for bid in self.following(history):
                later = (*history, bid)
                won.append(after_listed(later, reach) if later in self.strategies else stands(bid, reach))
            return [max(column) for column in zip(*won, strict=True)]

        won = (best if player else after_listed)((), [ways * one for ways in self.ways[player]])
        weights = [ways * weight for ways, weight in zip(self.ways[other], won, strict=True)]
        return Fraction(sum(weights), one * sum(self.ways[0]) * sum(self.ways[1]))

    def check(self, name):
        """Print the rules and the proved bounds on player 1's payoff; return whether they prove the claim."""
        lower = self.win - (self.win - self.lose) * self.wins(0)
        upper = self.lose + (self.win - self.lose) * self.wins(1)
        print(f"{name}: {ascii(self.rules)[1:-1]}; {len(self.names)} bids")
        print(f"  player 1 secures {lower} = {float(lower):.12f}\n  player 2 allows {upper} = {float(upper):.12f}")
        proved = self.least <= lower <= upper <= self.most
        verdict = "both agree: this is the value, and no player has regret" if lower == upper else "the value lies between them"
        print(f"  {verdict}" if proved else f"  NOT PROVED: the file claims {self.least} .. {self.most}")
        return proved


def main(names):
    """Check every file; the exit code is 0 if all claims are proved, otherwise 1."""
    proved = bool(names)
    for name in names:
        try:
            with gzip.open(name, "rt") if name.endswith(".gz") else open(name) as file:
                proved &= Certificate(list(file)).check(name)
        except Exception as error:  # whatever is wrong with the file, it proves nothing
            print(f"  NOT PROVED: no certificate, or damaged ({str(error) or 'it ends early'}): check {name}, or solve again")
            proved = False
    return 0 if proved else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) if sys.argv[1:] else "no file is named: write python check.py FILE.cert")
