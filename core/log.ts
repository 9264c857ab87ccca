import { createRequire } from "node:module";
import type * as Pino from "pino";
import { outside, redactText, unfinishedAt, type Log, type RedactionLevel } from "@pergola/sdk";

type Level = keyof Log;
type Fields = Readonly<Record<string, unknown>>;

const levels: Readonly<Record<Level, number>> = { debug: 20, info: 30, warn: 40, error: 50 };

/** Controls, and what turns the direction of writing: they could rewrite a terminal or a reviewer's view. */
const invisible = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

const formsOf = (secret: string): readonly string[] => {
  const bytes = Buffer.from(secret);
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
  ];
};

/** Replaces known secrets, in plain and in encoded form, and whatever is shaped like a key, by `[redacted]`. */
export class Redactor {
  readonly #forms = new Set<string>();
  #known: RegExp | undefined;
  #longest = 0;
  readonly #byInitial = new Map<string, readonly string[]>();

  /** Values shorter than four characters are not looked for: they would blot out half of every text. */
  add(secrets: Iterable<string>): void {
    for (const secret of secrets) if (secret.length >= 4) for (const form of formsOf(secret)) this.#forms.add(form);
    const longestFirst = [...this.#forms].sort((a, b) => b.length - a.length);
    const escaped = longestFirst.map((form) => form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
    this.#longest = longestFirst[0]?.length ?? 0;
    this.#byInitial.clear();
    for (const form of longestFirst) this.#byInitial.set(form.charAt(0), [...(this.#byInitial.get(form.charAt(0)) ?? []), form]);
    this.#known = escaped.length === 0 ? undefined : new RegExp(escaped.join("|"), "g");
  }

  /** Known values only: for text whose other words somebody may need. */
  readonly redactKnown = (text: string): string => (this.#known === undefined ? text : text.replace(this.#known, "[redacted]"));

  readonly redact = (text: string, level: RedactionLevel = "secrets"): string => redactText(this.redactKnown(text), level);

  /** Where a text ends with what may be the beginning of something to be redacted; its length where it does not. */
  readonly unfinishedAt = (text: string, level: RedactionLevel): number => {
    const at = unfinishedAt(text, level, this.#begun(text));
    return this.#known === undefined || at === text.length ? at : outside(text, this.#known, at);
  };

  #begun(text: string): number {
    for (let at = Math.max(0, text.length - this.#longest + 1); at < text.length; at++) {
      const likely = this.#byInitial.get(text.charAt(at)) ?? [];
      if (likely.length > 0 && likely.some((form) => form.startsWith(text.slice(at)))) return at;
    }
    return text.length;
  }
}

/** JSON lines through pino, each scrubbed as a whole; pino is loaded with the first line. `write` gets finished lines; default: stderr. */
export function createLog(
  level: Level,
  redact: (text: string) => string,
  write = (line: string): void => void process.stderr.write(line),
): Log {
  let logger: Log | undefined;
  const visible = (line: string): string =>
    redact(line).replace(invisible, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const open = (): Log => {
    const { pino } = createRequire(import.meta.url)("pino") as typeof Pino;
    const serializers = { error: pino.stdSerializers.errWithCause };
    return pino(
      { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers, formatters: { level: (label) => ({ level: label }) } },
      { write: (line) => write(visible(line)) },
    );
  };
  const at =
    (own: Level) =>
    (fields: Fields, message: string): void => {
      if (levels[own] >= levels[level]) (logger ??= open())[own](fields, message);
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** The log with fields of its own on every line, which no line can replace. */
export function withFields(log: Log, own: Fields): Log {
  const at =
    (level: Level) =>
    (fields: Fields, message: string): void =>
      log[level]({ ...fields, ...own }, message);
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
