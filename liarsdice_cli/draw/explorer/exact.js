"use strict";
/*
 * Exact numbers. On a page in fractions every number that Python sent is a Fraction, or 0. `plus`, `minus`, `times` and `over`
 * return exact numbers for exact numbers. All other arithmetic, such as `*` and Math.max, converts a Fraction to a plain number,
 * and plain numbers are never shown as fractions. So every fraction on the page is exact.
 */

/** A fraction in lowest terms, not 0. `above` and `below` are BigInts; `below` is positive. */
class Fraction {
  constructor(above, below) {
    Object.assign(this, { above, below, number: null });
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

const isExact = (number) => number instanceof Fraction || number === 0;
const partsOf = (number) => (number === 0 ? [0n, 1n] : [number.above, number.below]);

function ratio(above, below) {
  if (above === 0n) return 0;
  let [common, rest] = [above < 0n ? -above : above, below < 0n ? -below : below];
  while (rest) [common, rest] = [rest, common % rest];
  if (below < 0n) common = -common;
  return new Fraction(above / common, below / common);
}

/** The number that Python wrote: "1/3" or "2" for an exact one, "" for an unknown number; plain numbers unchanged. */
function numberOf(written) {
  if (typeof written !== "string") return written;
  if (written === "" || written === "0") return written === "" ? NaN : 0;
  const [above, below] = written.split("/");
  return new Fraction(BigInt(above), BigInt(below ?? 1));
}

/** Arithmetic on two numbers: `exactly` takes the parts of exact numbers, `roughly` takes all other numbers. */
function arithmetic(exactly, roughly) {
  return (one, other) => {
    const isInFractions = one instanceof Fraction || other instanceof Fraction;
    return isInFractions && isExact(one) && isExact(other) ? exactly(...partsOf(one), ...partsOf(other)) : roughly(Number(one), Number(other));
  };
}

const plus = arithmetic((a, b, c, d) => ratio(a * d + c * b, b * d), (one, other) => one + other);
const minus = arithmetic((a, b, c, d) => ratio(a * d - c * b, b * d), (one, other) => one - other);
const times = arithmetic((a, b, c, d) => ratio(a * c, b * d), (one, other) => one * other);
const over = arithmetic((a, b, c, d) => (c === 0n ? NaN : ratio(a * d, b * c)), (one, other) => one / other);
const isMore = arithmetic((a, b, c, d) => a * d > c * b, (one, other) => one > other);

const sum = (numbers) => numbers.reduce(plus, 0);
const highest = (numbers) => numbers.reduce((best, one) => (isMore(one, best) ? one : best));
