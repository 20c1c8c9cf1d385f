"""JSON documents on many games at once: values, worst cases of bots, tournaments and combinatorial games."""

from __future__ import annotations

from typing import Annotated, TypedDict

from liarsdice_cli.formats.documents.games import Number, Titled
from liarsdice_cli.formats.documents.research import ArenaDecisions


class Valuation(Titled):
    """The value of a game.

    exact          : whether the value itself is known
    lower          : proved lower bound on the value for player 1; null if the game is refused
    upper          : proved upper bound; null likewise
    value          : the value, or the middle of the bounds; null likewise
    exploitability : half the distance of the bounds; null likewise
    method         : method that found the bounds, or `refused`
    arithmetic     : arithmetic of the method; null if the game is refused
    seconds        : time of all methods that were tried
    iterations     : iterations of a regret minimiser; null for other methods
    note           : reason why there is no better answer; may be empty
    """

    exact: bool
    lower: Number | None
    upper: Number | None
    value: Number | None
    exploitability: Number | None
    method: str
    arithmetic: Annotated[str, ("rational", "float")] | None
    seconds: float
    iterations: int | None
    note: str


class MatchState(TypedDict):
    """The start of a round in a match.

    dice   : number of dice of each player
    opener : player who opens
    exact  : whether the probability itself is known
    lower  : proved lower bound on the probability that player 1 wins the match; floats are rounded outwards. Null for three
             or more players
    upper  : proved upper bound
    order  : whether winning this round is at least as good as losing it; `open` if the bounds do not tell. Null if rounds are
             not valued one by one
    wins   : for three or more players, the probability that each wins if all play each round as if staying in were all that
             counts; otherwise null
    """

    dice: list[int]
    opener: int
    exact: bool
    lower: Number | None
    upper: Number | None
    order: Annotated[str, ("proved", "open", "reversed")] | None
    wins: list[float] | None


class Match(Titled):
    """A match: the loser of each round gives up a die.

    opener   : player who opens the next round
    palifico : whether a player with a new last die opens a palifico round
    gaps     : with `--spot-on-gains`, the widest bounds after each sweep; otherwise null
    regret   : for three or more players, the most that a player could gain in any round; otherwise null
    states   : each number of dice, with each opener
    """

    opener: Annotated[str, ("loser", "winner", "alternate")]
    palifico: bool
    gaps: list[float] | None
    regret: float | None
    states: list[MatchState]


class Values(TypedDict):
    """The values of games; from `match`, those of its rounds.

    finished : false if an interrupt left games out
    games    : the games
    match    : the match; null from `values`
    """

    finished: bool
    games: list[Valuation]
    match: Match | None


class GameValue(TypedDict):
    """Bounds on the value of a game for player 1.

    lower  : lower bound
    upper  : upper bound
    exact  : whether both are the same
    method : method that found them
    """

    lower: Number
    upper: Number
    exact: bool
    method: str


class WorstCase(TypedDict):
    """The worst case of a bot.

    name              : specification of the bot
    levels            : in a sweep over all levels, the interval of levels that play alike, without its lower end; otherwise
                        null
    worst_case        : expected payoff of the bot in each seat against the opponent
    mean              : mean of `worst_case`
    exploitability    : mean of the regrets when the bot plays both seats; null against a coalition
    losing            : probability that the bot loses in each seat; null unless the opponent is a coalition
    rounding_error    : bound on the rounding error of `worst_case` that are not fractions; null against a coalition
    positions         : number of positions that were visited
    opponent_max_bids : limit on the bids of a limited opponent; null for other opponents
    """

    name: str
    levels: list[Number] | None
    worst_case: list[Number]
    mean: Number
    exploitability: Number | None
    losing: list[Number] | None
    rounding_error: float | None
    positions: int
    opponent_max_bids: int | None


class Exploit(Titled):
    """The worst case of a bot, or of each level in a sweep.

    opponent : `best response` for one opponent who knows the bot, `limited` for one with a limit on its bids, so that the worst
               case may be worse, `coalition` for all others as one player
    value    : value of the game; null if it is not computed
    fair     : payoff in each seat if all players lose equally often; null unless the opponent is a coalition
    bots     : the bot, or one for each level
    best     : index in `bots` of the highest `mean`, from 0
    """

    opponent: Annotated[str, ("best response", "limited", "coalition")]
    value: GameValue | None
    fair: list[Number] | None
    bots: list[WorstCase]
    best: int


class FrontierPoint(TypedDict):
    """A point of a frontier.

    risk       : value of the game minus the worst case
    worst_case : lowest payoff against any opponent
    gain       : payoff against the bot
    limit      : highest payoff against the bot of any strategy with this worst case
    """

    risk: Number
    worst_case: Number
    gain: Number
    limit: Number


class Frontier(TypedDict):
    """The highest gain for each risk, in one seat.

    player  : seat of the player who exploits the bot
    value   : bounds on the value of the game for this player
    exact   : whether `points` are all corners of the frontier, in fractions; otherwise each belongs to one strategy
    rounded : whether the bot's probabilities were rounded to millionths
    points  : points from the lowest risk to the highest; around the chosen point only, if there is one
    chosen  : point with the highest gain within the allowed risk; null if no risk was given
    """

    player: int
    value: list[Number]
    exact: bool
    rounded: bool
    points: list[FrontierPoint]
    chosen: FrontierPoint | None


class Safe(Titled):
    """Safe exploitation of a bot: the gain for each risk.

    bot      : specification of the bot
    max_risk : highest allowed risk; null for the whole frontier
    seats    : frontier in each seat
    """

    bot: str
    max_risk: Number | None
    seats: list[Frontier]


class Component(TypedDict):
    """Heaps of one game.

    game  : name of the game
    heaps : sizes of the heaps
    value : Grundy value of the heaps together; null in misère play, from `bachet`, and if it is not known
    """

    game: str
    heaps: list[int]
    value: int | None


class HeapMove(TypedDict):
    """A move in a sum of heaps.

    component : number of the component, from 1
    heap      : number of the heap in it, from 1
    size      : size of the heap before the move
    left      : sizes of the heaps that replace it
    """

    component: int
    heap: int
    size: int
    left: list[int]


class HeapPosition(TypedDict):
    """A sum of heaps.

    components    : the heaps
    misere        : whether a player without a move wins
    value         : Grundy value of the sum; null in misère play, except in Nim, from `bachet`, and if it is not
                    known
    result        : `W` if the player to move wins, otherwise `L`
    winning_moves : all winning moves; null from `bachet`
    """

    components: list[Component]
    misere: bool
    value: int | None
    result: Annotated[str, ("W", "L")]
    winning_moves: list[HeapMove] | None


class Period(TypedDict):
    """A proved period.

    start    : first heap of the period
    length   : its length
    argument : its proof
    """

    start: int
    length: int
    argument: str


class HeapTable(TypedDict):
    """The heaps 0, 1, 2, ... of one game.

    game          : name of the game
    results       : `W` or `L` for each heap; null if the table has only Grundy values
    grundy_values : Grundy value of each heap; null in misère play
    period        : period of the table; null if none is proved
    limit         : number of heaps that were searched for a period
    """

    game: str
    results: str | None
    grundy_values: list[int] | None
    period: Period | None
    limit: int


class Impartial(TypedDict):
    """Positions and tables of games with heaps.

    positions : position that was asked for; from `bachet`, one for each line; from `grundy` for a game without heaps, none
    table     : table of the game; null if the command makes none
    """

    positions: list[HeapPosition]
    table: HeapTable | None


class GraphPosition(TypedDict):
    """A position of a graph with a player to move.

    position : name of the position
    player   : player to move; null if both players have the same moves
    result   : `W` or `L` for the player to move, or `D` for a draw
    length   : number of moves to the end if the winner hurries and the loser delays; null for a draw
    move     : best move; null if there is no move
    grundy   : Grundy value; null if there is none
    """

    position: str
    player: int | None
    result: Annotated[str, ("W", "L", "D")]
    length: int | None
    move: str | None
    grundy: int | None


class Positions(TypedDict):
    """The results of all positions of a graph.

    source    : file of the graph
    kind      : `impartial` if both players have the same moves
    endless   : whether play can go on for ever
    misere    : whether a player without a move wins
    moves     : number of moves in the graph
    start     : first position
    positions : all positions
    """

    source: str
    kind: Annotated[str, ("impartial", "partizan")]
    endless: bool
    misere: bool
    moves: int
    start: str
    positions: list[GraphPosition]


class Forfeits(TypedDict):
    """Games that a bot forfeited for one reason.

    reason : the reason
    games  : number of games
    """

    reason: str
    games: int


class Standing(TypedDict):
    """The results of one bot.

    name      : name of the bot
    games     : number of its games
    won       : number of games that it won: rounds that it did not lose, or matches
    rate      : `won` / `games`
    interval  : Wilson interval of the rate, at 95 %, with the games of a deal counted together
    elo       : Bradley-Terry rating with mean 0; 400 points are odds of 10 to 1
    dice_left : mean number of dice left at the end of a match; null for rounds
    forfeits  : games that it forfeited
    """

    name: str
    games: int
    won: int
    rate: float
    interval: list[float]
    elo: float
    dice_left: float | None
    forfeits: list[Forfeits]


class ArenaTable(TypedDict):
    """The results of one combination of bots.

    bots        : names of the bots
    rounds      : number of rounds
    won_by_seat : games that each bot (row) won from each seat (column)
    ahead       : games that each bot (row) ended ahead of each other one (column)
    """

    bots: list[str]
    rounds: int
    won_by_seat: list[list[int]]
    ahead: list[list[int]]


class Arena(Titled):
    """The results of a tournament.

    match    : whether a game is a match instead of one round
    palifico : whether a player with a new last die opens a palifico round
    spot_on_gains : whether a right claim of spot-on wins back a die
    spot_on_by : the players who may claim spot-on: `next` is the next one, `any` all but the bidder
    deals    : number of deals at each table
    games    : number of games at each table: one for each deal and seating
    seed     : random seed
    bots     : the bots in the order given
    decisions : costs of the decisions of bots without action probabilities, if a bot `equilibrium` plays too
    cross    : share of games without a tie in which the row's bot ended ahead of the column's; null if none
    tables   : all combinations of bots that played
    """

    match: bool
    palifico: bool
    spot_on_gains: bool
    spot_on_by: Annotated[str, ("next", "any")]
    deals: int
    games: int
    seed: int
    bots: list[Standing]
    decisions: list[ArenaDecisions]
    cross: list[list[float | None]]
    tables: list[ArenaTable]
