import { Exact } from "./exact.ts";
import { fault } from "./fault.ts";

type Apply = (...values: readonly Exact[]) => Exact;

export interface MathFunction {
  /** How many arguments it takes. */
  readonly least: number;
  readonly most: number;
  readonly apply: Apply;
}

/** More would pass the largest number there is. */
const largestFactorial = 1800;

const many = Infinity;
const exact = (apply: Apply, least = 1, most = least): MathFunction => ({
  least,
  most,
  apply,
});

/** A function in double precision: about 15 digits, in a time that does not depend on the values. */
const real = (apply: (value: number) => number): MathFunction =>
  exact((value = new Exact(0)) => new Exact(apply(value.toNumber())));

/**
 * What is smaller than the rounding error of the angle itself is zero: sin(pi) = 0. Beyond 10^15 that error
 * is a whole turn.
 */
const snapToZero =
  (apply: (angle: number) => number) =>
  (angle: number): number => {
    if (Math.abs(angle) > 1e15) throw fault("Angles above 10^15 are too large.");
    const value = apply(angle);
    const isRoundingError = Math.abs(value) <= Math.abs(angle) * Number.EPSILON;
    if (isRoundingError && angle !== value) return 0;
    return value;
  };

const sin = snapToZero(Math.sin);
const cos = snapToZero(Math.cos);

const checkIntegers = (name: string, values: readonly Exact[]): void => {
  if (values.some((value) => !value.isInteger())) throw fault(`${name} takes whole numbers.`);
};

/** Euclid's algorithm. */
function greatestDivisor(a: Exact, b: Exact): Exact {
  let [large, small] = [a.abs(), b.abs()];
  while (!small.isZero()) [large, small] = [small, large.mod(small)];
  return large;
}

function leastMultiple(a: Exact, b: Exact): Exact {
  if (a.isZero()) return a;
  return a.times(b).abs().div(greatestDivisor(a, b));
}

function foldIntegers(name: string, fold: (a: Exact, b: Exact) => Exact): MathFunction {
  const apply: Apply = (...values) => {
    checkIntegers(name, values);
    return values.reduce(fold);
  };
  return exact(apply, 2, many);
}

/** Halves are rounded away from zero. */
function round(value: Exact, digits: Exact): Exact {
  checkIntegers("The second argument of round", [digits]);
  if (digits.abs().gt(50)) throw fault("round takes at most 50 digits.");
  if (value.isZero()) return value;
  const scale = new Exact(10).pow(digits);
  return value.times(scale).round().div(scale);
}

const wholeLogarithms = new Map<number, (value: number) => number>([
  [2, Math.log2],
  [10, Math.log10],
]);

/** Powers of the common bases have whole logarithms. */
function logarithm(value: Exact, base: Exact): Exact {
  const known = wholeLogarithms.get(base.toNumber());
  return new Exact(known?.(value.toNumber()) ?? Math.log(value.toNumber()) / Math.log(base.toNumber()));
}

/** n! of whole numbers from 0 on. */
export function factorial(value: Exact): Exact {
  if (!value.isInteger() || value.isNegative()) throw fault("! takes whole numbers from 0 on.");
  if (value.gt(largestFactorial)) throw fault(`! takes numbers up to ${largestFactorial}.`);
  let product = new Exact(1);
  for (let factor = 2; factor <= value.toNumber(); factor += 1) product = product.times(factor);
  return product;
}

/** Exact for whole exponents; otherwise in double precision. */
export function power(base: Exact, exponent: Exact): Exact {
  if (exponent.isInteger() && exponent.abs().lte(Number.MAX_SAFE_INTEGER)) return base.pow(exponent);
  return new Exact(base.toNumber() ** exponent.toNumber());
}

export const constants: ReadonlyMap<string, Exact> = new Map([
  ["pi", new Exact("3.141592653589793238462643383279502884197169399375105820974944592")],
  ["e", new Exact("2.718281828459045235360287471352662497757247093699959574966967628")],
]);

export const functions: ReadonlyMap<string, MathFunction> = new Map(
  Object.entries({
    sqrt: exact((value) => value.sqrt()),
    cbrt: exact((value) => value.cbrt()),
    abs: exact((value) => value.abs()),
    exp: real(Math.exp),
    ln: real(Math.log),
    log10: real(Math.log10),
    log2: real(Math.log2),
    log: exact((value, base) => logarithm(value, base), 2),
    sin: real(sin),
    cos: real(cos),
    tan: real((angle) => sin(angle) / cos(angle)),
    asin: real(Math.asin),
    acos: real(Math.acos),
    atan: real(Math.atan),
    sinh: real(Math.sinh),
    cosh: real(Math.cosh),
    tanh: real(Math.tanh),
    round: exact((value, digits = new Exact(0)) => round(value, digits), 1, 2),
    floor: exact((value) => value.floor()),
    ceil: exact((value) => value.ceil()),
    min: exact((...values) => Exact.min(...values), 1, many),
    max: exact((...values) => Exact.max(...values), 1, many),
    gcd: foldIntegers("gcd", greatestDivisor),
    lcm: foldIntegers("lcm", leastMultiple),
  }),
);
