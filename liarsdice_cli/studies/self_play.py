"""Payoffs and regrets of a bot that plays all seats, for games of three and more players.

With two players a bot has a worst case, which can be compared with the value of the game. With three and more there is no
value, because different equilibria may pay a player differently. The *regret* of a seat is still defined: the player's largest
gain from another strategy while all other seats play the bot. The bot in all seats is an ε-equilibrium, where ε is the largest
regret.
"""

from __future__ import annotations

from dataclasses import replace

from liarsdice_cli.bots.protocol import Policy
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.evaluate import Judgement
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.sentences import smaller
from liarsdice_cli.progress import SILENT, Progress
from liarsdice_cli.solvers.public_tree.responses import Responses
from liarsdice_cli.strategies.combined import LastBidOnly
from liarsdice_cli.strategies.expansion import TooManyHistoriesError, expanded
from liarsdice_cli.strategies.stored import Stored, stored_in
from liarsdice_cli.text import counted

MOST = 1 << 20
"""The most betting histories at which a bot is called, which takes minutes."""


def self_play(bot: Policy, rules: Rules, progress: Progress = SILENT) -> Judgement:
    """Return the payoffs, best-response values and regrets of all seats if the bot plays every seat.

    progress : counts the histories, at most 2^N in all, if the bot has to be called

    Raises LiarsDiceError for a game that the bot does not play, and for a bot that reaches too many histories. Cost: one
    call of the bot for every history that at most one player reaches by another strategy.

    >>> from liarsdice_cli.bots.specs import policy
    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> found = self_play(policy("random"), rules("common", 2, (1, 1, 1)))
    >>> [round(payoff, 4) for payoff in found.payoffs], [round(regret, 4) for regret in found.regrets]
    ([0.6653, 0.551, 0.7837], [0.2652, 0.2827, 0.1134])
    """
    progress.begin(f"evaluating {bot.name}")
    bot.check(rules)  # may solve the game
    strategy = _stored(bot, rules, progress)
    game = public_game(replace(strategy.rules, payoffs=rules.payoffs))  # a strategy file may have other payoffs
    return Responses(game, strategy.store).judge()


def _stored(bot: Policy, rules: Rules, progress: Progress) -> Stored:
    """Return the bot's strategy with expanded histories."""
    strategy = bot.strategy(rules)
    known = stored_in(strategy)
    if known is not None:
        return known
    histories = strategy.rules.bidding.history_count
    progress.begin(f"evaluating {bot.name}", histories, "histories")
    try:
        return expanded(strategy if bot.looks_back else LastBidOnly(strategy), progress, MOST)
    except TooManyHistoriesError as error:
        raise LiarsDiceError(
            f"the regrets of a bot in {strategy.rules} cannot be computed: it reaches more than {MOST:,} of "
            f"{counted(histories)} betting histories; ",
            *smaller(strategy.rules),
        ) from error
