import { createRequire } from "node:module";
import type * as Pino from "pino";
import type { Log } from "@pergola/sdk";

type Level = keyof Log;
type Fields = Readonly<Record<string, unknown>>;

const levels: Readonly<Record<Level, number>> = { debug: 20, info: 30, warn: 40, error: 50 };

/** Shapes of keys and tokens that are nobody's words. */
const shapes =
  /\b(?:sk-(?=[\w-]*\d)[\w-]{16,}|[spr]k_(?:live|test)_\w{16,}|gh[opsu]_\w{16,}|xox[abp]-[\w-]{10,}|github_pat_\w{20,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]+)/g;
const labelled =
  /\b((?:Bearer|Basic)\s+(?=\S*\d)|[?&](?:api[_-]?key|key|(?:access_)?token|secret|password|sig(?:nature)?)=)[\w+/.~%=-]{8,}/gi;
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

  /** Values shorter than four characters are not looked for: they would blot out half of every text. */
  add(secrets: Iterable<string>): void {
    for (const secret of secrets) if (secret.length >= 4) for (const form of formsOf(secret)) this.#forms.add(form);
    const longestFirst = [...this.#forms]
      .sort((a, b) => b.length - a.length)
      .map((form) => form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
    this.#known = longestFirst.length === 0 ? undefined : new RegExp(longestFirst.join("|"), "g");
  }

  /** Known values only: for text whose other words somebody may need. */
  readonly redactKnown = (text: string): string => (this.#known === undefined ? text : text.replace(this.#known, "[redacted]"));

  readonly redact = (text: string): string => this.redactKnown(text).replace(shapes, "[redacted]").replace(labelled, "$1[redacted]");
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
