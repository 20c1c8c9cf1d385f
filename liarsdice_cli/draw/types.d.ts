/*
 * The types of the pages' scripts, for the type checker only: the data that Python writes into a page, and what scripts share.
 * Nothing of this file is in a page.
 */

/** A number that may be exact; see exact.js. */
type Num = number | import("./explorer/exact.js").Fraction;
/** A number in a page's data: a text such as "1/3" is exact, and "" is an unknown number. */
type Written = number | string;
/** The numbers of a page, or their places in its list of fractions. */
type Columns = Float32Array | Uint16Array | Uint32Array;
type Child = Node | string | null | undefined;
type Content = Child | readonly Content[];

/** Attributes of an element, its `on...` listeners and its `style` properties; null and false leave an attribute out. */
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: any) => unknown) | Record<string, Num | string>>;
/** What stands at a seat of the table: classes and content. */
type SeatContent = { marks: string; content: Content };

/* The data of pages */

interface CommonData {
  title: string;
  about: string;
  rules: string;
  source: string;
  /** Whether the strategy's probabilities are fractions, and whether the page's numbers are. */
  exact: boolean;
  fractions: boolean;
  /** Whether payoffs are shown as chances to win. */
  isChance: boolean;
  /** The lowest and the highest payoff. */
  payoffs: [Written, Written];
  players: string[];
  actions: { first: number; names: string[]; colours: [string, string][] };
}

interface DiceData extends CommonData {
  /** The most bids before a decision that the page shows. */
  depth: number;
  /** The smallest probability that is not that of a mistake. */
  mistake: number;
  wild: number | null;
  openings: number[];
  /** For every bid, the first bid that is too high to follow it. */
  stops: number[];
  /** For every final action and bid, "1" for each number of matching dice with which the bid stands. */
  stands: string[][];
  /** For every player: the rolls, their probabilities, and the dice of each roll that match each bid. */
  rolls: number[][][];
  chances: Written[][];
  matching: number[][][];
  /** By history and roll: the largest probability of an action in other equilibria. */
  alternatives: Record<string, Record<string, string>>;
  /** The packed numbers of a page without a server; see columns.py. */
  columns: string | null;
  numerals?: string;
}

interface GameStep<N> {
  to: number | null;
  name: string;
  label: number | null;
  share: N | null;
}

/** A move that ends the game; `expected` tells it from a step. */
interface GameEnd<N> {
  label: number;
  share: N | null;
  expected: N[] | null;
}

interface GameSet<N> {
  name: string;
  reach: N;
  probabilities: N[];
  values: N[] | null;
  nodes: [string, N | null][];
  more: number;
  alternatives: Record<string, string>;
}

/** A public state of any game. */
interface GamePlace<N> {
  before: number | null;
  name: string;
  reach: N;
  expected: N[] | null;
  groups: { mover: number; actions: number[]; rows: GameSet<N>[] }[];
  next: GameStep<N>[];
  ends: GameEnd<N>[];
}

interface GameData extends CommonData {
  first: GameStep<Written>[];
  places: GamePlace<Written>[];
}

interface CoachData extends CommonData {
  me: string;
  preset: string;
  dice: number;
  seats: number;
  several: boolean;
  presets: Record<string, string>;
  /** The sentences of sentences.json, by name; a word in braces stands for a part. */
  sentences: Record<string, string>;
}

/* Readings: the numbers of a decision */

/** What the tables need: for every action (first index) the numbers of every row (second). A row is a roll or an information set. */
interface AnyReading {
  mover: number;
  actions: number[];
  probabilities: Num[][];
  /** The value of an action to the mover; null if it is unknown. */
  values: (Num | null)[][] | null;
}

interface Reading extends AnyReading {
  history: number[];
  values: Num[][] | null;
  /** For every player, the reach probability of each roll: its chance times the probabilities of the player's bids. After a
   * mistake, if the strategy has them, the relative probabilities of the rolls in any unit. */
  reaches: Num[][];
  /** The players who reach the history only by mistake. */
  mistaken: number[];
}

/** A reading as the server sends it. */
interface ServedReading {
  probabilities: Written[][];
  values: Written[][] | null;
  reaches: Written[][];
  mistaken: number[] | null;
}

interface GameReading extends AnyReading {
  place: number;
  rows: number[];
  sets: Record<number, GameSet<Num>>;
}

/* The two kinds of explorer */

interface Unit {
  column: string;
  values: (player: string) => string;
  costs: string;
}

interface RowGroup {
  order: number;
  title: string;
  swatch?: number;
  rows: number[];
}

interface Rows {
  words: { one: string; many: string; title: string; with: string; held: string; done: string; none: string };
  rowMark: (reading: any, row: number) => Element;
  rowName: (reading: any, row: number) => string;
  rowWidth: (reading: any) => string;
  /** The probability of every row; null if it is unknown. */
  heldOf: (reading: any) => Num[] | null;
  listed: (reading: any) => RowGroup[];
  besides: (reading: any, row: number) => Element | null;
  alternativesOf: (reading: any, row: number) => Record<string, string> | undefined;
}

interface Kind {
  unit: Unit;
  rows: Rows;
  /** Prepare the source of numbers. */
  open: () => Promise<void>;
  /** Draw what the address names. */
  draw: () => Promise<unknown>;
  content: () => (Element | null)[];
  isShown: () => boolean;
  back: () => void;
  onwards: () => void;
  step: (by: number) => void;
  keys: Record<string, () => unknown>;
  /** Handle a key that depends on the page's state; return whether it was one. */
  typed: (event: KeyboardEvent) => boolean;
  prepare: () => void;
}

/* Rounds at the explorer's table */

interface Move {
  who: number;
  history: number[];
  action: number;
  /** For the reader's moves: the cost, null if unknown, the best actions, and the strategy's probability of the move. */
  cost?: Num | null;
  best?: number[];
  chance?: Num;
}

interface Round {
  seat: number;
  rolls: number[];
  moves: Move[];
  /** The reading of the bids so far, once it is there. */
  reading: Reading | null;
  isRolled: boolean;
  isGoingOn: boolean;
  trouble: string | null;
}

interface TableActions {
  takeSeat: (seat: number | null) => unknown;
  takeTurn: (at: number) => Promise<void>;
  goOn: (round: Round) => Promise<void>;
  nextRound: () => unknown;
  startOver: () => unknown;
}

type Stage = Record<"root" | "title" | "seat" | "table" | "turn" | "moves" | "log" | "score", HTMLElement>;

/* The coach */

interface Advice {
  action: string;
  reason: string;
  actions: { action: string; value: number }[];
  last_bid: { bid: string; true: number; fair: number; spot_on: number | null } | null;
  hands: { name: string; dice: number; faces: { face: number; expected: number; fair: number }[] }[];
}

interface CoachTable {
  me: string;
  title: string;
  rules: { sides: number };
  spot_on: boolean;
  round: number;
  palifico: boolean;
  players: { name: string; dice: number }[];
  opener: string;
  turn: string | null;
  history: string[];
  bids: string[];
  my_dice: number[] | null;
  called: boolean;
  ended_by: string;
  between: string[];
  loser: string | null;
  gainer: string | null;
  spot_on_gains: boolean;
  spot_on_by: string;
  over: boolean;
  move: { action: string; ev_loss: number | null; best: string; value: number } | null;
  recommendation: Advice | null;
}

interface Answered {
  error: string | null;
  table: CoachTable | null;
  version: number;
  left: string | null;
}

/** A request to the coach's server: one of these, or none to look. */
interface CoachRequest {
  begin?: { names: string[]; dice: number[]; rules: string; spot_on: boolean; by_any: boolean; gains: boolean; opens: string };
  hear?: string;
  claim?: string;
  dice?: number[];
  lost?: string;
  new?: string | null;
  undo?: boolean;
  leave?: boolean;
  back?: boolean;
}

interface Desk {
  table: CoachTable | null;
  version: number;
  left: string | null;
  isBusy: boolean;
  isMending: boolean;
  rolled: number[];
  picked: { face: number | null; quantity: number | null };
}

interface CoachScreen {
  draw: (next?: string | null) => void;
  heard: (answer: Answered, what: CoachRequest) => void;
}

interface Seat {
  name: string;
  dice: number;
  number: number;
}

/* The drawn tree */

/** The elements of a node: its group, the branch into it with its left and right end, and the links from it. */
interface NodePart {
  groups: SVGElement[];
  links: { shape: SVGElement; from: number[] }[];
  node?: SVGElement;
  branch?: { line: SVGPathElement; x: number; end: number };
}

interface Frame {
  parents: number[];
  titles: string[];
  groups: string[];
  reached: boolean[];
  across: number;
  pad: number;
  step: number;
  top: number;
  gap: number;
  fork: number;
  turn: number;
}

interface Places {
  shown: boolean[];
  rows: number[];
  most: number;
}
