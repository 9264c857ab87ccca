import type { SyntaxFault } from "@pergola/kit-code-symbols";

/** Strict JSON, or the form of settings files, with comments and commas before a closing bracket. */
export type JsonDialect = "json" | "jsonc";

const blank = /[ \t\r\n]+/y;
const comment = /\/\/[^\n]*|\/\*[^]*?\*\//y;
const scalar =
  /"(?:[ -!#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const excerptLength = 20;

/** What may come next: a value, a key, a colon, or a comma or the end of what is open. */
type Expected = "value" | "key" | "colon" | "end";

const wanted: Readonly<Record<Expected, string>> = {
  value: "a value",
  key: "a property name in quotes",
  colon: "a colon",
  end: "a comma or a closing bracket",
};

const firstInside = { "{": "key", "[": "value" } as const;
const openingOf = { "}": "{", "]": "[" } as const;
const wantedAfterValue = { "{": 'a comma or "}"', "[": 'a comma or "]"' } as const;

type Opening = keyof typeof firstInside;

/** Reads a JSON text from left to right, without building anything, until it ends or breaks a rule. */
class Scanner {
  readonly #text: string;
  readonly #dialect: JsonDialect;
  readonly #open: Opening[] = [];
  #at = 0;
  #expected: Expected = "value";
  /** A bracket or a comma was just before, so that the end would be an empty list or a trailing comma. */
  #closable = false;

  constructor(text: string, dialect: JsonDialect) {
    this.#text = text;
    this.#dialect = dialect;
    this.#at = text.startsWith("\ufeff") ? 1 : 0;
  }

  /** The first fault as position and message; undefined for valid text. */
  run(): readonly [at: number, message: string] | undefined {
    for (;;) {
      this.#skipBlank();
      const isDone = this.#open.length === 0 && this.#expected === "end";
      const isAtEnd = this.#at >= this.#text.length;
      if (isAtEnd && isDone) return undefined;
      if (isAtEnd) return [this.#at, `Unexpected end: ${this.#wanted()} is missing`];
      if (isDone) return [this.#at, `Unexpected ${this.#excerpt()}: the text should end here`];
      if (!this.#step())
        return [this.#at, `Unexpected ${this.#excerpt()}: ${this.#wanted()} should stand here`];
    }
  }

  #skipBlank(): void {
    while (
      this.#take(blank) !== undefined ||
      (this.#dialect === "jsonc" && this.#take(comment) !== undefined)
    );
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #step(): boolean {
    const character = this.#text.charAt(this.#at);
    if (character === "}" || character === "]") return this.#close(character);
    if (this.#expected === "end") return character === "," && this.#next();
    if (this.#expected === "colon") return character === ":" && this.#go("value", false);
    if (this.#expected === "key") return character === '"' && this.#scalar("colon");
    if (character !== "{" && character !== "[") return this.#scalar("end");
    this.#open.push(character);
    return this.#go(firstInside[character], true);
  }

  #scalar(expected: Expected): boolean {
    return this.#take(scalar) !== undefined && this.#now(expected, false);
  }

  /** After a comma. */
  #next(): boolean {
    const bracket = this.#open.at(-1);
    return bracket !== undefined && this.#go(firstInside[bracket], this.#dialect === "jsonc");
  }

  #close(bracket: keyof typeof openingOf): boolean {
    const fits = this.#open.at(-1) === openingOf[bracket];
    if (!fits || !(this.#expected === "end" || this.#closable)) return false;
    this.#open.pop();
    return this.#go("end", false);
  }

  #go(expected: Expected, closable: boolean): boolean {
    this.#at += 1;
    return this.#now(expected, closable);
  }

  #now(expected: Expected, closable: boolean): boolean {
    this.#expected = expected;
    this.#closable = closable;
    return true;
  }

  #wanted(): string {
    const bracket = this.#open.at(-1);
    if (this.#expected === "end" && bracket !== undefined) return wantedAfterValue[bracket];
    return wanted[this.#expected];
  }

  #excerpt(): string {
    const [word = ""] =
      /^[\p{L}\p{N}_$]+|^[^]/u.exec(this.#text.slice(this.#at, this.#at + excerptLength)) ?? [];
    return JSON.stringify(word);
  }
}

/** The first fault of a JSON text, if it has one. */
export function jsonErrors(text: string, dialect: JsonDialect): readonly SyntaxFault[] {
  const fault = new Scanner(text, dialect).run();
  if (fault === undefined) return [];
  const [at, message] = fault;
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf("\n") + 1;
  return [{ line: before.split("\n").length, column: at - lineStart + 1, message }];
}

const relaxed =
  /(^|\/)(tsconfig[^/]*|jsconfig[^/]*|\.eslintrc|\.babelrc|\.swcrc|\.jshintrc|devcontainer|language-configuration|api-extractor)\.json$|\.jsonc$|(^|\/)\.(vscode|devcontainer)\/|\.code-workspace$/;

/**
 * How a file's JSON is written, by its path; undefined for other files. Files of one value a line are none.
 */
export function jsonDialectOf(path: string): JsonDialect | undefined {
  if (!/\.(jsonc?|code-workspace)$/.test(path)) return undefined;
  return relaxed.test(path) ? "jsonc" : "json";
}
