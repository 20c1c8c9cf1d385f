"""JSON documents on strategies: solutions, evaluations, profile files and the play after a history."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from liarsdice_cli.formats.documents.games import Game, GameRules, Number


class LargestRegret(TypedDict):
    """The history at which a player has the largest regret.

    player  : the player to move
    regret  : gain of a best response from there on, given the beliefs there
    history : bids before
    roll    : dice of the player
    """

    player: int
    regret: float
    history: list[str]
    roll: list[int]


class Sequential(TypedDict):
    """The regrets at all histories, reached or not.

    regret    : largest regret of any player, rounding included
    histories : number of histories
    largest   : for each player, where the regret is largest
    """

    regret: float
    histories: int
    largest: list[LargestRegret]


class Evaluation(TypedDict):
    """The evaluation of a profile by best responses.

    payoffs              : expected payoff of each player
    best_response_values : payoff of each player's best response to the others; null without perfect recall
    regrets              : best-response value minus payoff; null without perfect recall
    judge                : form of the game on which it was evaluated, and arithmetic
    equilibrium          : whether it is proved to be a Nash equilibrium: all regrets are 0 in fractions
    quasi_perfect        : whether it is proved to be quasi-perfect; null if the profile does not claim it
    sequential           : regrets at all histories, reached or not; null unless they were computed
    exploitability       : mean of both regrets; null unless the game has two players and constant sum
    bounds               : proved bounds on the value for player 1; null likewise
    """

    payoffs: list[Number]
    best_response_values: list[Number | None]
    regrets: list[Number | None]
    judge: Annotated[str, ("extensive form", "public tree, rounding included", "public tree, in fractions")]
    equilibrium: bool
    quasi_perfect: bool | None
    sequential: Sequential | None
    exploitability: Number | None
    bounds: list[Number] | None


class LockedEvaluation(Evaluation):
    """An evaluation in the locked game, if information sets are locked, and in the game without the lock.

    unlocked : evaluation in the game without the lock; null if nothing is locked
    """

    unlocked: Evaluation | None


class Infoset(TypedDict):
    """The probabilities at one information set of a player.

    player        : player to move
    number        : number of the information set in the `.efg` file, unique for each player
    label         : label of the information set; may be empty
    actions       : labels of the actions
    probabilities : probability of each action
    completed     : present if the method gave no distribution: what was filled in
    locked        : present if the information set was locked
    weights       : present in a refined profile: for each action, the coefficients of ε^0, ε^1, ... of its weight in the
                    perturbed realization plan, separated by blanks
    """

    player: int
    number: int
    label: str
    actions: list[str]
    probabilities: list[Number]
    completed: NotRequired[Annotated[str, ("equal", "best response")]]
    locked: NotRequired[Literal[True]]
    weights: NotRequired[list[str]]


class Reply(TypedDict):
    """The play at one information set after a history; in Liar's Dice, with one roll.

    label         : the roll, such as "24"; in other games, the label of the information set
    number        : number of the information set in the `.efg` file; null for a strategy without a tree
    probability   : its posterior probability after the history; null if the player never gets here
    probabilities : probability of each action
    values        : expected payoff of the player for each action; null if it is not defined
    last_bid_true : probability that the last bid is true; null if there is no last bid, or it is not defined
    """

    label: str
    number: int | None
    probability: Number | None
    probabilities: list[Number]
    values: list[Number] | None
    last_bid_true: Number | None


class Belief(TypedDict):
    """The posterior probability of a roll.

    label       : the roll, such as "24"
    probability : its probability
    """

    label: str
    probability: Number


class Opponent(TypedDict):
    """The posterior of a player who does not move.

    player : the player
    rolls  : all rolls with their probabilities; null if the player never gets here
    """

    player: int
    rolls: list[Belief] | None


class Shown(TypedDict):
    """The play after a history.

    history  : actions of the players so far; empty for the opening
    player   : player to move
    reach    : probability of the history
    actions  : labels of the actions
    infosets : information sets of the player to move
    others   : posteriors of the other players in the order of their turns; empty for a profile of a tree
    """

    history: list[str]
    player: int
    reach: Number
    actions: list[str]
    infosets: list[Reply]
    others: list[Opponent]


class SolvedProfile(LockedEvaluation):
    """A profile that a method found, and its evaluation.

    one_of_many   : whether the game is proved to have other equilibria
    probabilities : information sets of all players, in the order of the game; null for a strategy without a tree and for
                    `outcomes`
    shown         : play at the start of a subgame; empty for a whole game
    """

    one_of_many: bool
    probabilities: list[Infoset] | None
    shown: list[Shown]


class Lock(TypedDict):
    """A locked information set.

    infoset : name of the information set
    actions : probability of each action that is taken
    """

    infoset: str
    actions: dict[str, Number]


class SubgamePerfect(TypedDict):
    """All pure subgame-perfect equilibria of a game with perfect information.

    payoffs  : distinct payoff vectors, in increasing order
    complete : whether all payoff vectors are listed
    ties     : number of nodes at which several actions are best
    """

    payoffs: list[list[Number]]
    complete: bool
    ties: int


class WorkerState(TypedDict):
    """The state of a worker process.

    machine   : host of the worker
    process   : process number
    shards    : number of its shards
    histories : number of its expanded histories
    bytes     : memory of its arrays
    seconds   : processor time of an iteration
    """

    machine: str
    process: int
    shards: int
    histories: int
    bytes: int
    seconds: float


class RunHistory(TypedDict):
    """The course of a regret minimiser.

    iterations : number of iterations
    ended      : reason for the end
    proved     : best proved bounds on the value for player 1, rounding included; with a tremble, on that of the perturbed game;
                 null with three or more players
    samples    : for each sample, the iteration, seconds, and both bounds, or each player's regret with three or more
    workers    : present with workers: the state of each, for each sample
    """

    iterations: int
    ended: Annotated[str, ("target", "iterations", "time", "memory", "interrupt")]
    proved: list[float] | None
    samples: list[list[float]]
    workers: NotRequired[list[list[WorkerState]]]


class TraceNode(TypedDict):
    """A node of a sequential game.

    moves   : moves from the start to the node
    player  : player to move; null at a terminal node
    outcome : payoffs of the play from here
    move    : move that is played; null at a terminal node
    best    : all moves that are as good
    """

    moves: list[str]
    player: int | None
    outcome: list[Number]
    move: str | None
    best: list[str]


class PathOfPlay(TypedDict):
    """The play of a sequential game.

    moves   : moves that are played
    outcome : payoffs of the play
    trace   : present with `--full`: all nodes in pre-order
    """

    moves: list[str]
    outcome: list[Number]
    trace: NotRequired[list[TraceNode]]


class SolvedGame(Game):
    """A game of which a smaller one may be solved or evaluated.

    solved_on : how the answer to the smaller game answers the whole one; null if the whole game is solved or evaluated
    """

    solved_on: str | None


class Solve(SolvedGame):
    """A solution: the method, its parameters and the profiles that it found.

    method          : method that ran
    arithmetic      : arithmetic of the method
    form            : form of the game that it solved
    reason          : reason for the choice of the method; empty if the request names it
    parameters      : parameters of the method
    versions        : versions of this program and the packages that the method uses
    note            : message of the method; usually empty
    finished        : false if a time limit or an interrupt ended the method
    lock            : locked information sets
    seconds         : time of the method
    subgame_perfect : pure subgame-perfect equilibria; null unless the method computes them
    run_history     : course of a regret minimiser; null for other methods
    path_of_play    : play of a sequential game; null from other commands than `outcomes`
    profiles        : profiles in the order found; of the solved game if `solved_on` is a string
    """

    method: str
    arithmetic: Annotated[str, ("rational", "float")]
    form: Annotated[str, ("extensive", "strategic", "public tree")]
    reason: str
    parameters: dict[str, Any]
    versions: dict[str, str]
    note: str
    finished: bool
    lock: list[Lock]
    seconds: float
    subgame_perfect: SubgamePerfect | None
    run_history: RunHistory | None
    path_of_play: PathOfPlay | None
    profiles: list[SolvedProfile]


class Verify(SolvedGame, LockedEvaluation):
    """The evaluation of a profile file, a strategy file, or a bot in all seats of a game with three or more players.

    strategy  : name of the file or the bot
    completed : number of information sets without a distribution in the file; they get equal probabilities
    locked    : number of information sets that the file marks as locked
    """

    strategy: str
    completed: int
    locked: int


class Resolving(TypedDict):
    """The re-solving of a subgame.

    start       : bids before the subgame
    player      : player whose strategy is replaced
    before      : payoff of the whole strategy against a best response, before
    after       : the same after the replacement; if it is less than before, the old strategy stays
    run_history : course of the regret minimiser in the gadget game
    """

    start: list[str]
    player: int
    before: float
    after: float
    run_history: RunHistory


class Show(TypedDict):
    """The play of a strategy after a history.

    rules     : rules of the game; null if it is a file
    title     : title of the game
    source    : strategy file or file of the game; null if rule options describe it
    shown     : play after the history; none if another player moves first in a re-solved subgame
    resolving : re-solving of the subgame; null from `show`
    """

    rules: GameRules | None
    title: str
    source: str | None
    shown: list[Shown]
    resolving: Resolving | None


class ProfileGame(TypedDict):
    """The game of a profile file.

    title       : title of the game
    nodes       : number of nodes
    fingerprint : digest of the game without labels and title; `verify` refuses a profile with another one
    """

    title: str
    nodes: int
    fingerprint: str


class Profile(TypedDict):
    """A profile file. A name with the ending `.gz` compresses it.

    A profile that you write by hand needs `schema`, `sets`, and in each set `player`, `number` and `probabilities`. Numbers may
    be fractions in strings, integers or floats. Information sets that you leave out get equal probabilities. The `actions` of a
    set, if you list them, must be those of the game, in its order.

    game   : the game; without it, the file is read for any game that it fits
    method : method that found the profile
    sets   : information sets of all players
    """

    game: ProfileGame
    method: str
    sets: list[Infoset]
