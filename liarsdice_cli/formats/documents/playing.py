"""JSON documents on play: advice, games at the terminal and real tables."""

from __future__ import annotations

from typing import Annotated, TypedDict

from liarsdice_cli.formats.documents.games import Number, Titled


class LastBid(TypedDict):
    """The probability of the last bid.

    bid          : the bid
    missing      : number of unknown dice that must match; may be negative
    chance       : probability that one of them matches
    expected     : expected number of matching dice at the table
    deviation    : standard deviation of that number
    true         : probability that the bid is true
    true_normal  : the same by the normal distribution
    z_score      : (quantity - 1/2 - expected) / deviation; null if the deviation is 0
    page_z_score : the same with + 1/2
    """

    bid: str
    missing: int
    chance: Number
    expected: Number
    deviation: float
    true: Number
    true_normal: float
    z_score: float | None
    page_z_score: float | None


class Raise(TypedDict):
    """A raise.

    bid    : the bid
    true   : probability that it is true
    called : probability that the next player calls it
    omega  : its payoff: minus the probability that it is called and false
    """

    bid: str
    true: Number
    called: Number
    omega: Number


class Probability(Titled):
    """The probabilities for a player who sees some dice, and the advice of the zero-intelligence model.

    The document does not use `dice` in `rules`.

    my_dice      : dice of the player
    known        : dice that all players see
    unknown      : number of dice that the player does not see
    next_dice    : how many of those belong to the next player
    level        : probability below which a player calls a bid
    expectations : expected number of dice that match each face, at the whole table
    thresholds   : y0 for each face that can be bid: with r dice of its own, the next player calls quantities from r + y0
    last_bid     : the last bid; null in the opening
    raises       : all possible raises, the best first
    recommended  : `call` or the bid with the best payoff
    reason       : reason in words
    by_level     : action of a player with the level
    """

    my_dice: list[int]
    known: list[int]
    unknown: int
    next_dice: int
    level: Number
    expectations: list[Number]
    thresholds: list[int]
    last_bid: LastBid | None
    raises: list[Raise]
    recommended: str
    reason: str
    by_level: str


class LevelMixture(TypedDict):
    """The best distribution of levels.

    levels  : the levels
    weights : their probabilities
    omega_a : payoff of A against the best response
    ceiling : upper bound on the payoff of any distribution
    """

    levels: list[float]
    weights: list[float]
    omega_a: float
    ceiling: float


class ModelAnswer(TypedDict):
    """The play of B.

    holding : roll of B
    call    : lowest bid that B calls; null if B never calls
    omega_b : probability that B wins
    """

    holding: float
    call: float | None
    omega_b: float


class NormalModel(TypedDict):
    """The normal model with one number of other players.

    others             : variance of their roll
    my_roll            : roll of A
    y0                 : bid at which calling and raising have the same payoff
    indifference_level : its level, as a probability
    page_level         : level of the source document for it
    best_level         : level with the best worst case, as a z-score
    level              : level that was asked for, or the best one
    omega_a            : worst-case probability that A wins with it
    mixture            : best distribution of levels; null without `--full`
    answer             : play of B; null without `--holds`
    """

    others: float
    my_roll: float
    y0: float
    indifference_level: float
    page_level: float
    best_level: float
    level: float
    omega_a: float
    mixture: LevelMixture | None
    answer: ModelAnswer | None


class Model(TypedDict):
    """The normal model of zero intelligence.

    models : a model for each number of other players
    """

    models: list[NormalModel]


class PlayedRound(TypedDict):
    """A round of a game at the terminal. Lists of players begin with the player who opened.

    round    : number of the round
    seats    : seats of the players
    dice     : faces of each player's dice
    bids     : the bids
    ended_by : action that ended the round; null after a forfeit
    claimer  : seat that claimed spot-on out of turn; otherwise null
    true     : whether the last bid is true; null after a forfeit
    loser    : seat of the loser; null if a right claim of spot-on won back a die
    gainer   : seat whose right claim won back a die; otherwise null
    failure  : reason for the forfeit of a bot; empty without a forfeit
    """

    round: int
    seats: list[int]
    dice: list[list[int]]
    bids: list[str]
    ended_by: Annotated[str, ("call", "spot-on")] | None
    claimer: int | None
    true: bool | None
    loser: int | None
    gainer: int | None
    failure: str


class PlayedAction(TypedDict):
    """An action that the person had.

    action      : `call`, `spot-on` or a bid
    not_lost    : probability of not losing the round
    probability : probability of the action in the strategy that judges; null if only probabilities judge
    """

    action: str
    not_lost: Number
    probability: Number | None


class PlayedDecision(TypedDict):
    """A decision of the person.

    round   : number of the round
    dice    : dice of the person
    history : bids before
    action  : action of the person
    basis   : source of the values; `probability` values each bid as if it were called at once
    best    : best action
    ev_loss : value of the best action minus that of the person's
    actions : all actions
    """

    round: int
    dice: list[int]
    history: list[str]
    action: str
    basis: Annotated[str, ("equilibrium", "near equilibrium", "file", "resolved", "probability")]
    best: str
    ev_loss: Number
    actions: list[PlayedAction]


class Play(Titled):
    """A game at the terminal. Seat 1 is the person.

    players   : name of the player in each seat
    match     : whether the loser of a round lost a die
    seed      : random seed; null if none was given
    finished  : whether the game was played to its end
    won       : number of rounds that the person did not lose
    lost      : number of rounds that the person lost
    rounds    : finished rounds
    decisions : decisions of the person
    """

    players: list[str]
    match: bool
    seed: int | None
    finished: bool
    won: int
    lost: int
    rounds: list[PlayedRound]
    decisions: list[PlayedDecision]


class Seat(TypedDict):
    """A player at a real table.

    name : name of the player
    dice : number of dice left
    """

    name: str
    dice: int


class CoachedMove(TypedDict):
    """A move of the coached player.

    action  : the move
    value   : probability of not losing the round; null if it was not computed
    ev_loss : value of the best action minus `value`; 0 if that is below 0.01, null likewise
    best    : best action
    """

    action: str
    value: float | None
    ev_loss: float | None
    best: str


class ActionValue(TypedDict):
    """An action of the coached player.

    action    : `call`, `spot-on` or a bid
    value     : probability of not losing the round
    frequency : probability of the action in the strategy that was found
    true      : probability that the bid is true; for a call, the last bid; for spot-on, that the last bid is exactly right
    """

    action: str
    value: float
    frequency: float
    true: float


class CalledBid(TypedDict):
    """The bid that the coached player may call.

    bid     : the bid
    true    : probability that it is true, given the bids
    spot_on : probability that it is exactly right; null if spot-on is not played
    fair    : probability that it is true if the others' dice are fair
    """

    bid: str
    true: float
    spot_on: float | None
    fair: float | None


class FaceCounts(TypedDict):
    """The dice of a player that match a face.

    face     : the face
    counts   : probability that 0, 1, 2, ... dice match
    expected : expected number of matching dice
    fair     : expected number of matching fair dice
    """

    face: int
    counts: list[float]
    expected: float
    fair: float


class Hand(TypedDict):
    """The likely dice of another player.

    name  : name of the player
    dice  : number of dice
    faces : the faces that can be bid
    """

    name: str
    dice: int
    faces: list[FaceCounts]


class Recommendation(TypedDict):
    """The advice to the coached player.

    action         : `call`, `spot-on` or a bid
    reason         : reason in words
    actions        : actions with known values
    last_bid       : bid that may be called; null in the opening
    next_calls     : probability that the next player calls the recommended bid; null if it is not known
    hands          : other players in the order of their turns
    exploitability : mean regret of two players in the solution, largest regret of more; null for rollouts
    iterations     : number of iterations; 0 for the solution of the whole game and for rollouts
    deals          : number of deals that rollouts played; 0 without them
    """

    action: str
    reason: str
    actions: list[ActionValue]
    last_bid: CalledBid | None
    next_calls: float | None
    hands: list[Hand]
    exploitability: float | None
    iterations: int
    deals: int


class Coach(Titled):
    """The state of a real table after one line of input. `coach --json` prints one such document, on one line, for each.

    input          : the line of input
    error          : reason for refusing it; null if it was accepted
    round          : number of the round
    palifico       : whether it is a palifico round: no face is wild, and all bids keep the face of the opening
    players        : players in the order of play
    me             : coached player
    opener         : player who opens the round
    my_dice        : dice of the coached player; null if they are not entered yet
    history        : bids in the round
    called         : whether the last bid was called or claimed to be spot-on
    ended_by       : which of the two; null if the round has not ended
    spot_on        : whether spot-on is played
    bids           : bids that may follow
    between        : after the end, the last bidder and the player who ended the round
    turn           : player to move; null if the bidding is over
    loser          : loser of the round; null if it is not known yet, or nobody lost
    gainer         : player whose right claim of spot-on won back a die; otherwise null
    spot_on_gains  : whether such a claim wins back a die
    spot_on_by     : the players who may claim spot-on: `next` is the next one, `any` all but the bidder
    over           : whether the match is over for the coached player
    move           : move of the coached player in this line; null for other lines
    recommendation : advice; null if it is not the coached player's turn, or the dice are not entered yet
    """

    input: str
    error: str | None
    round: int
    palifico: bool
    players: list[Seat]
    me: str
    opener: str
    my_dice: list[int] | None
    history: list[str]
    called: bool
    ended_by: Annotated[str, ("call", "spot-on")] | None
    spot_on: bool
    bids: list[str]
    between: list[str]
    turn: str | None
    loser: str | None
    gainer: str | None
    spot_on_gains: bool
    spot_on_by: Annotated[str, ("next", "any")]
    over: bool
    move: CoachedMove | None
    recommendation: Recommendation | None
