import { countOf } from "@pergola/sdk";
import { Exact } from "./exact.ts";
import { fault } from "./fault.ts";
import { constants, factorial, functions, power } from "./functions.ts";
import { tokensOf, type Token } from "./tokens.ts";

interface Operator {
  /** The higher number binds more tightly. */
  readonly binds: number;
  readonly fromRight?: boolean;
  readonly apply: (left: Exact, right: Exact) => Exact;
}

const raise: Operator = { binds: 5, fromRight: true, apply: power };

const operators: ReadonlyMap<string, Operator> = new Map(
  Object.entries({
    "+": { binds: 1, apply: (a: Exact, b: Exact) => a.plus(b) },
    "-": { binds: 1, apply: (a: Exact, b: Exact) => a.minus(b) },
    "*": { binds: 2, apply: (a: Exact, b: Exact) => a.times(b) },
    "/": { binds: 2, apply: (a: Exact, b: Exact) => a.div(b) },
    "%": { binds: 2, apply: (a: Exact, b: Exact) => a.mod(b) },
    "% of": { binds: 3, apply: (a: Exact, b: Exact) => a.times(b).div(100) },
    "^": raise,
    "**": raise,
  }),
);

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
    const isIt = kind === "sign" && text === sign;
    if (isIt) this.#next += 1;
    return isIt;
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
      const operator = this.#peek().kind === "sign" ? operators.get(this.#peek().text) : undefined;
      if (operator === undefined || operator.binds < least) break;
      const { text } = this.#peek();
      this.#next += 1;
      const right = this.#expression(operator.binds + (operator.fromRight === true ? 0 : 1));
      left = real(operator.apply(left, right), `${shown(left)} ${text} ${shown(right)}`);
    }
    this.#depth -= 1;
    return left;
  }

  #operand(): Exact {
    if (this.#take("-")) return this.#expression(signBinds).neg();
    if (this.#take("+")) return this.#expression(signBinds);
    let value = this.#primary();
    while (this.#take("!")) value = real(factorial(value), `${shown(value)}!`);
    return value;
  }

  #primary(): Exact {
    if (this.#take("(")) return this.#closed(this.#expression(0));
    const { kind, text } = this.#peek();
    if (kind !== "number" && kind !== "name") throw this.#unexpected();
    this.#next += 1;
    if (kind === "number") return real(new Exact(text), text);
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
    return real(known.apply(...values), `${name}(${values.map(shown).join(", ")})`);
  }
}

function arity({ least, most }: { readonly least: number; readonly most: number }): string {
  if (most === Infinity) return `${least} or more arguments`;
  if (most > least) return `${least} or ${most} arguments`;
  return countOf(least, "argument");
}

/** The value, when it is a number that can be written down. */
function real(value: Exact, what: string): Exact {
  if (value.isNaN()) throw fault(`${what} has no real value.`);
  if (!value.isFinite()) throw fault(`${what} is not finite, or larger than this calculator can hold.`);
  return value;
}

/** Whole numbers of up to 64 digits in full, all else in 15 digits. */
function shown(value: Exact): string {
  if (value.isZero()) return "0";
  if (value.isInteger() && value.e < 64) return value.toFixed();
  const rounded = value.toSignificantDigits(15);
  return rounded.e >= -7 && rounded.e < 15 ? rounded.toFixed() : rounded.toExponential();
}

/**
 * The value of an expression as text. Own grammar, no host evaluation: numbers, + - * / % ^ ** ( ) ! , `x% of
 * y`, the functions and constants of the tables. From tight to loose: `!`, `^` (from the right), sign, `%
 * of`, then * / %, then + -. Time is bounded by the length of the text. Throws ToolError `invalid_value`.
 */
export const evaluate = (expression: string): string => shown(new Reader(tokensOf(expression)).whole());
