"""Check a quasi-perfect equilibrium: python check_quasi_perfect.py GAME.efg PROFILE.json. Needs Python 3.10 or later alone.

The profile gives every action of a player a probability and a weight, a polynomial in e (docs/certificates.md). The weights are
plans of the perturbed game, in which a player's k-th action in a row has at least the weight e^k. This program proves that they
are an equilibrium of it for every small e > 0: no action with more than the least weight is worse than another one, against the
other plan. The probabilities are the limit as e tends to 0, which is then a quasi-perfect equilibrium (Miltersen and Sorensen
2010). Polynomials are compared by their first coefficient that differs, as they are ordered near 0. All numbers are fractions.
"""

import json
import re
import sys
from fractions import Fraction

CURE = "write one with liarsdice solve GAME.efg --refine quasi-perfect -o PROFILE.json"
TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([{}])|([^\s{},"]+)')


def need(true, fault):
    """Raise ValueError, with the fault, unless something is true."""
    if not true:
        raise ValueError(fault)


def plus(one, other):
    """The sum of two polynomials, lists of coefficients from that of e^0 on."""
    short, long = sorted((one, other), key=len)
    return [a + b for a, b in zip(short, long, strict=False)] + long[len(short) :]


def times(number, polynomial):
    """A polynomial times a number."""
    return [number * coefficient for coefficient in polynomial]


def trimmed(polynomial):
    """A polynomial without zeros at the end, so that equal ones are equal lists."""
    end = max((place + 1 for place, number in enumerate(polynomial) if number), default=0)
    return polynomial[:end]


def less(one, other):
    """Whether a polynomial is less than another one near 0."""
    difference = trimmed(plus(other, times(-1, one)))
    return bool(difference) and next(number for number in difference if number) > 0


class Tokens:
    """The words of an .efg file, one after the other."""

    def __init__(self, text):
        self.words = [next(part for part in match.groups() if part is not None) for match in TOKEN.finditer(text)]
        self.kinds = [match.lastindex for match in TOKEN.finditer(text)]
        self.place = 0

    def next(self):
        """Take the next word."""
        self.place += 1
        return self.words[self.place - 1]

    def listed(self):
        """Take a list in braces, if one follows; otherwise return None."""
        if self.place == len(self.words) or (self.kinds[self.place], self.words[self.place]) != (2, "{"):
            return None
        end = next(place for place in range(self.place, len(self.words)) if (self.kinds[place], self.words[place]) == (2, "}"))
        found, self.place = self.words[self.place + 1 : end], end + 1
        return found

    def text(self):
        """Take a text in quotes, if one follows."""
        return self.next() if self.place < len(self.words) and self.kinds[self.place] == 1 else None


class Game:
    """What a proof needs of a tree: the information sets, and the payoffs by the last actions of both players.

    sets    : by player and number: the number of actions, and the player's last action before it, None for none
    payoffs : (last action of player 1, of player 2, payoff of player 1 times the probability of chance)
    """

    def __init__(self, text):
        self.tokens = Tokens(text)
        need([self.tokens.next() for _ in range(3)] == ["EFG", "2", "R"], "this is no .efg file")
        self.tokens.next()
        need(len(self.tokens.listed()) == 2, "the game has not two players")
        self.tokens.text()
        self.sets, self.payoffs, self.actions, self.outcomes, self.total = {}, [], {}, {}, None
        self.visit([None, None], Fraction(1), Fraction(0), Fraction(0))
        need(self.tokens.place == len(self.tokens.words), "there is more than a tree")

    def visit(self, last, chance, first, second):
        """Read a node and those below it; `first` and `second` are the payoffs on the path so far."""
        tokens, kind = self.tokens, self.tokens.next()
        tokens.next()  # the name of the node
        if kind == "t":
            first, second = self.outcome(first, second)
            if chance:
                self.total = first + second if self.total is None else self.total
                need(first + second == self.total, "the payoffs have no constant sum")
                self.payoffs.append((*last, first * chance))
            return
        player = None if kind == "c" else int(tokens.next()) - 1
        key = (player, int(tokens.next()))
        tokens.text()
        self.actions[key] = tokens.listed() or self.actions[key]
        first, second = self.outcome(first, second)
        if kind == "c":
            for share in self.actions[key][1::2]:
                self.visit(last, chance * Fraction(share), first, second)
            return
        if chance:
            need(self.sets.setdefault(key, (len(self.actions[key]), last[player]))[1] == last[player], "a player forgets")
        for action in range(len(self.actions[key])):
            self.visit([(key, action) if one == player else last[one] for one in (0, 1)], chance, first, second)

    def outcome(self, first, second):
        """Read an outcome and add its payoffs."""
        number = self.tokens.next()
        if number != "0":
            self.tokens.text()
            self.outcomes[number] = self.tokens.listed() or self.outcomes[number]
            first, second = (sum(map(Fraction, pair)) for pair in zip((first, second), self.outcomes[number], strict=True))
        return first, second


def proved(game, content):
    """Raise ValueError unless the profile is proved to be a quasi-perfect equilibrium; return the payoff of player 1."""
    need(isinstance(content, dict) and content.get("sets"), "this is not a profile: " + CURE)
    need(all("weights" in entry for entry in content["sets"]), "the profile has no weights of a perturbed game: " + CURE)
    weights, shares = {None: [Fraction(1)]}, {}
    for entry in content["sets"]:
        for action, text in enumerate(entry["weights"]):
            weights[(entry["player"] - 1, entry["number"]), action] = [Fraction(word) for word in text.split()]
        shares[entry["player"] - 1, entry["number"]] = [Fraction(number) for number in entry["probabilities"]]
    length = {None: 0}
    order = sorted(game.sets, key=lambda key: depth(game, key))
    for key in order:
        size, before = game.sets[key]
        own = [weights[key, action] for action in range(size)]
        whole = []
        for action, weight in enumerate(own):
            length[key, action] = length[before] + 1
            need(not less(weight, least(length[key, action])), f"a weight of {key} is below its least")
            whole = plus(whole, weight)
        need(trimmed(whole) == trimmed(weights[before]), f"the weights of {key} do not add up")
        power = next(place for place, number in enumerate(weights[before]) if number)
        limit = [(weight + [Fraction(0)] * (power + 1))[power] / weights[before][power] for weight in own]
        need(shares[key] == limit, f"the probabilities of {key} are not the limit")
    for player, sign in ((0, 1), (1, -1)):
        values = {}
        for one, other, payoff in game.payoffs:
            mine, theirs = (one, other) if player == 0 else (other, one)
            values[mine] = plus(values.get(mine, []), times(sign * payoff, weights[theirs]))
        for key in reversed([key for key in order if key[0] == player]):
            size, before = game.sets[key]
            worth = [values.get((key, action), []) for action in range(size)]
            best = worth[0]
            for one in worth:
                best = one if less(best, one) else best
            for action, one in enumerate(worth):
                short = trimmed(weights[key, action]) == least(length[key, action])
                need(short or not less(one, best), f"an action of {key} is used and not best")
            values[before] = plus(values.get(before, []), best)
    return sum(payoff * weights[one][0] * weights[other][0] for one, other, payoff in game.payoffs)


def depth(game, key):
    """The number of a player's information sets before one."""
    before = game.sets[key][1]
    return 0 if before is None else 1 + depth(game, before[0])


def least(length):
    """The polynomial e^length."""
    return [Fraction(0)] * length + [Fraction(1)]


def main(*names):
    """Check a profile; the exit code is 0 if it is proved, otherwise 1."""
    sys.setrecursionlimit(10_000)
    if len(names) != 2:
        print("name a game and a profile: write python check_quasi_perfect.py GAME.efg PROFILE.json")
        return 1
    try:
        with open(names[0]) as tree, open(names[1]) as plans:
            payoff = proved(Game(tree.read()), json.load(plans))
    except OSError as error:
        print(f"NOT PROVED: cannot read {error.filename} ({error.strerror}): check its name")
        return 1
    except Exception as error:  # whatever is wrong with a file, it proves nothing
        print(f"NOT PROVED: {error}")
        return 1
    print(f"a quasi-perfect equilibrium; the value for player 1 is {payoff}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
