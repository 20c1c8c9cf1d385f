/*
 * Exact numbers. On a page in fractions every number that Python sent is a Fraction, or 0. `plus`, `minus`, `times` and `over`
 * return exact numbers for exact numbers. All other arithmetic, such as `*` and Math.max, converts a Fraction to a plain number,
 * and plain numbers are never shown as fractions. So every fraction on the page is exact.
 */

/** A fraction in lowest terms, not 0. `above` and `below` are BigInts; `below` is positive. */
export class Fraction {
  /** @param {bigint} above @param {bigint} below */
  constructor(above, below) {
    this.above = above;
    this.below = below;
    /** @type {number | null} */
    this.number = null;
  }

  get text() {
    return this.below === 1n ? String(this.above) : `${this.above}/${this.below}`;
  }

  valueOf() {
    if (this.number === null) {
      const shift = BigInt(Math.max(0, 4 * this.below.toString(16).length - 1000)); // beyond 2^1024 plain numbers are infinite
      this.number = Number(this.above >> shift) / Number(this.below >> shift);
    }
    return this.number;
  }

  /** The number as text for a style. */
  toString() {
    return String(this.valueOf());
  }
}

/** Return the numerator and the denominator of an exact number. @type {(number: Num) => [bigint, bigint]} */
const partsOf = (number) => (number instanceof Fraction ? [number.above, number.below] : [0n, 1n]);
/** @param {Num} number */
const isExact = (number) => number instanceof Fraction || number === 0;

/** @type {(above: bigint, below: bigint) => Num} */
function ratio(above, below) {
  if (above === 0n) return 0;
  let [common, rest] = [above < 0n ? -above : above, below < 0n ? -below : below];
  while (rest) [common, rest] = [rest, common % rest];
  if (below < 0n) common = -common;
  return new Fraction(above / common, below / common);
}

/**
 * Return the number that Python wrote: "1/3" or "2" for an exact one, "" for an unknown number; plain numbers unchanged.
 * @type {(written: Written) => Num}
 */
export function numberOf(written) {
  if (typeof written !== "string") return written;
  if (written === "" || written === "0") return written === "" ? NaN : 0;
  const [above, below] = written.split("/");
  return new Fraction(BigInt(above), BigInt(below ?? 1));
}

/**
 * Return arithmetic on two numbers: `exactly` takes the parts of exact numbers, `roughly` takes all other numbers.
 * @template T
 * @param {(a: bigint, b: bigint, c: bigint, d: bigint) => T} exactly @param {(one: number, other: number) => T} roughly
 * @returns {(one: Num, other: Num) => T}
 */
function arithmetic(exactly, roughly) {
  return (one, other) => {
    const isInFractions = one instanceof Fraction || other instanceof Fraction;
    return isInFractions && isExact(one) && isExact(other) ? exactly(...partsOf(one), ...partsOf(other)) : roughly(Number(one), Number(other));
  };
}

export const plus = arithmetic(/** @returns {Num} */ (a, b, c, d) => ratio(a * d + c * b, b * d), (one, other) => one + other);
export const minus = arithmetic(/** @returns {Num} */ (a, b, c, d) => ratio(a * d - c * b, b * d), (one, other) => one - other);
export const times = arithmetic(/** @returns {Num} */ (a, b, c, d) => ratio(a * c, b * d), (one, other) => one * other);
export const over = arithmetic(/** @returns {Num} */ (a, b, c, d) => (c === 0n ? NaN : ratio(a * d, b * c)), (one, other) => one / other);
export const isMore = arithmetic((a, b, c, d) => a * d > c * b, (one, other) => one > other);

/** Return the sum; it is exact for exact numbers. @type {{ (numbers: number[]): number; (numbers: Num[]): Num }} */
export const sum = (/** @type {any[]} */ numbers) => numbers.reduce((one, other) => plus(one, other), 0);
/** @type {{ (numbers: number[]): number; (numbers: Num[]): Num }} */
export const highest = (/** @type {any[]} */ numbers) => numbers.reduce((best, one) => (isMore(one, best) ? one : best));
