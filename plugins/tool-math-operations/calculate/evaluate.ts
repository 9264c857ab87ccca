import { countOf } from "@pergola/sdk";
import { Exact } from "./exact.ts";
import { fault } from "./fault.ts";
import { constants, factorial, functions, power, type MathFunction } from "./functions.ts";
import { tokensOf, type Token } from "./tokens.ts";

interface Operator {
  /** The higher number binds more tightly. */
  readonly binds: number;
  /** How tightly its right side must bind at least. */
  readonly rightBinds: number;
  readonly apply: (left: Exact, right: Exact) => Exact;
}

const raise: Operator = {
  binds: 5,
  rightBinds: 5,
  apply: power,
};

const fromLeft = (binds: number, apply: Operator["apply"]): Operator => ({
  binds,
  rightBinds: binds + 1,
  apply,
});

/** By the sign. */
const operators: Readonly<Record<string, Operator>> = {
  "+": fromLeft(1, (a, b) => a.plus(b)),
  "-": fromLeft(1, (a, b) => a.minus(b)),
  "*": fromLeft(2, (a, b) => a.times(b)),
  "/": fromLeft(2, (a, b) => a.div(b)),
  "%": fromLeft(2, (a, b) => a.mod(b)),
  "% of": fromLeft(3, (a, b) => a.times(b).div(100)),
  "^": raise,
  "**": raise,
};

const signBinds = 4;
const deepest = 100;

/** Works an expression out while it reads it, by precedence climbing. */
class Reader {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Exact {
    const value = this.#expression(0);
    if (this.#peek().kind !== "end") throw this.#unexpected();
    return value;
  }

  #peek(): Token {
    return this.#tokens[this.#next] as Token;
  }

  #take(sign: string): boolean {
    const { kind, text } = this.#peek();
    if (kind !== "sign" || text !== sign) return false;
    this.#next += 1;
    return true;
  }

  #unexpected(): Error {
    const { kind, text, at } = this.#peek();
    if (kind === "end") return fault("The expression ends too early.");
    return fault(`"${text}" is not expected at character ${at}.`);
  }

  #expression(least: number): Exact {
    this.#depth += 1;
    if (this.#depth > deepest) throw fault(`The expression is nested deeper than ${deepest} levels.`);
    let left = this.#operand();
    for (;;) {
      const { kind, text } = this.#peek();
      if (kind !== "sign") break;
      const operator = operators[text];
      if (operator === undefined || operator.binds < least) break;
      this.#next += 1;
      const right = this.#expression(operator.rightBinds);
      left = checkReal(operator.apply(left, right), `${write(left)} ${text} ${write(right)}`);
    }
    this.#depth -= 1;
    return left;
  }

  #operand(): Exact {
    if (this.#take("-")) return this.#expression(signBinds).neg();
    if (this.#take("+")) return this.#expression(signBinds);
    let value = this.#primary();
    while (this.#take("!")) value = checkReal(factorial(value), `${write(value)}!`);
    return value;
  }

  #primary(): Exact {
    if (this.#take("(")) return this.#closed(this.#expression(0));
    const { kind, text } = this.#peek();
    if (kind !== "number" && kind !== "name") throw this.#unexpected();
    this.#next += 1;
    if (kind === "number") return checkReal(new Exact(text), text);
    return constants.get(text) ?? this.#call(text);
  }

  #closed(value: Exact): Exact {
    if (!this.#take(")")) throw this.#unexpected();
    return value;
  }

  #call(name: string): Exact {
    const known = functions.get(name);
    if (known === undefined) throw fault(`There is no function or constant "${name}".`);
    if (!this.#take("(")) throw fault(`${name} needs its arguments in parentheses.`);
    const values = [this.#expression(0)];
    while (this.#take(",")) values.push(this.#expression(0));
    const count = this.#closed(new Exact(values.length)).toNumber();
    if (count < known.least || count > known.most)
      throw fault(`${name} takes ${arity(known)}, not ${count}.`);
    return checkReal(known.apply(...values), `${name}(${values.map(write).join(", ")})`);
  }
}

function arity({ least, most }: MathFunction): string {
  if (most === Infinity) return `${least} or more arguments`;
  if (most > least) return `${least} or ${most} arguments`;
  return countOf(least, "argument");
}

/** The value, when it is a number that can be written down. */
function checkReal(value: Exact, what: string): Exact {
  if (value.isNaN()) throw fault(`${what} has no real value.`);
  if (!value.isFinite()) throw fault(`${what} is not finite, or larger than this calculator can hold.`);
  return value;
}

/** Whole numbers of up to 64 digits in full, all else in 15 digits. */
function write(value: Exact): string {
  if (value.isZero()) return "0";
  if (value.isInteger() && value.e < 64) return value.toFixed();
  const rounded = value.toSignificantDigits(15);
  if (rounded.e >= -7 && rounded.e < 15) return rounded.toFixed();
  return rounded.toExponential();
}

/**
 * The value of an expression as text. Own grammar, no host evaluation: numbers, + - * / % ^ ** ( ) ! , `x% of
 * y`, the functions and constants of the tables. From tight to loose: `!`, `^` (from the right), sign, `%
 * of`, then * / %, then + -. Time is bounded by the length of the text. Throws ToolError `invalid_value`.
 */
export const evaluate = (expression: string): string => write(new Reader(tokensOf(expression)).whole());
