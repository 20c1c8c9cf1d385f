"""JSON documents on games and their rules, and the types that other documents share with them."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from liarsdice_cli.games.liarsdice.rules import ORDERS, PAYOFFS

Number = str | float
"""A string with an integer or a fraction if the number is exact, a JSON number if it is a float."""


class GameRules(TypedDict):
    """The arguments of `liarsdice_cli.rules` that make the rules again: `rules(**document["rules"])`.

    preset       : name of the preset
    sides        : faces of a die
    dice         : number of dice of each player
    payoffs      : payoffs of a round
    wild         : wild face or `"none"`; present only if it differs from the preset, as all keys below
    max_quantity : highest quantity that can be bid
    order        : how bids rise
    wild_opening : whether the opening may be a bid on the wild face
    stairs       : whether a roll 1, 2, ..., n counts as n + 1 dice
    fixed_face   : whether all bids keep the face of the opening
    spot_on      : whether a player may claim that a bid is exactly right
    """

    preset: str
    sides: int
    dice: list[int]
    payoffs: Annotated[str, PAYOFFS]
    wild: NotRequired[int | Annotated[str, ("none",)]]
    max_quantity: NotRequired[int]
    order: NotRequired[Annotated[str, ORDERS]]
    wild_opening: NotRequired[bool]
    stairs: NotRequired[bool]
    fixed_face: NotRequired[bool]
    spot_on: NotRequired[bool]


class Titled(TypedDict):
    """Rules, as fields and as a sentence.

    rules : the fields of the rules
    title : the same in one line
    """

    rules: GameRules
    title: str


class Subgame(TypedDict):
    """The rest of a round after some bids.

    history : bids made before
    source  : source of the beliefs: fair dice, a file, or Bayes' rule from a strategy
    beliefs : for each player, the probability of each roll, in lexicographic order
    """

    history: list[str]
    source: Annotated[str, ("prior", "given", "bayes")]
    beliefs: list[list[float]]


class Game(TypedDict):
    """A game and its size.

    source         : file of the game, `-` for standard input; null if rule options describe it
    rules          : rules of the game; null if it is a file
    subgame        : start of a subgame; null for a whole game
    title          : title of the game
    players        : names of the players
    nodes          : number of nodes
    decision_nodes : number of nodes at which a player moves
    chance_nodes   : number of nodes at which chance moves
    terminal_nodes : number of terminal nodes
    infosets       : number of information sets of each player
    constant_sum   : whether the payoffs have the same sum at all terminal nodes
    perfect_recall : whether players remember their own moves and what they knew before
    """

    source: str | None
    rules: GameRules | None
    subgame: Subgame | None
    title: str
    players: list[str]
    nodes: int
    decision_nodes: int
    chance_nodes: int
    terminal_nodes: int
    infosets: list[int]
    constant_sum: bool
    perfect_recall: bool


class Cost(TypedDict):
    """The expected cost of solving a game between bounds, by a model fitted to measured runs.

    target              : exploitability, for payoffs 1 and -1
    processor_seconds   : on one core
    seconds_on_16_cores : wall time on 16 cores
    bytes               : memory of the expanded histories
    """

    target: float
    processor_seconds: float
    seconds_on_16_cores: float
    bytes: int


class Info(Game):
    """The size of a game.

    costs : what solving takes; empty for files and small games, with stairs, and with over two players or eight sides
    """

    costs: list[Cost]


class Example(TypedDict):
    """An example of dice with a true and a false bid.

    dice  : faces of each player's dice
    true  : a bid that is true
    false : a higher bid that is false; null if there is none
    """

    dice: list[list[int]]
    true: str
    false: str | None


class Preset(Titled):
    """A preset, with all of its rules in full.

    played_by    : programs and communities that use the preset
    wild         : wild face; null if there is none
    faces        : faces that can be bid, from lowest to highest
    max_quantity : highest quantity that can be bid
    order        : how bids rise
    wild_opening : whether the opening may be a bid on the wild face
    stairs       : whether a roll 1, 2, ..., n counts as n + 1 dice
    fixed_face   : whether all bids keep the face of the opening
    spot_on      : whether a player may claim that a bid is exactly right
    brief        : wild face and order of bids in two sentences
    sentences    : all rules in sentences
    example      : an example
    """

    played_by: str
    wild: int | None
    faces: list[int]
    max_quantity: int
    order: Annotated[str, ORDERS]
    wild_opening: bool
    stairs: bool
    fixed_face: bool
    spot_on: bool
    brief: str
    sentences: list[str]
    example: Example


class Presets(TypedDict):
    """The rules of one preset, or of all presets.

    presets : the presets
    """

    presets: list[Preset]


class Name(TypedDict):
    """A solving method or a bot.

    name    : what options and arguments take; a bot may have words in capitals, which stand for your own
    summary : a line on it
    """

    name: str
    summary: str


class Names(TypedDict):
    """The solving methods, or the bots.

    names : in the order of the printed list
    """

    names: list[Name]


class Written(TypedDict):
    """The file that a command wrote.

    file   : name of the file
    format : format of the file
    nodes  : number of nodes of the whole game, also if the file shows a part of it
    bytes  : size of the file
    """

    file: str
    format: Annotated[str, ("efg", "nfg", "gbt", "svg", "png", "pdf", "tex", "html", "txt")]
    nodes: int
    bytes: int
