import { mapTexts } from "./map-texts.ts";
import { moveOutside, type RedactionLevel, redactText, StreamRedactor, unfinishedAt } from "./redaction.ts";
import type { Json, JsonObject } from "../util/json.ts";

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

/**
 * A token of the service's own, two random UUIDs joined: kept nowhere as text, so known by its form alone.
 * Text that comes in pieces shows it where it comes in several.
 */
const ownToken =
  /\b(?:[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}(?:-(?=[\da-f])|\b(?!-))){2}/gi;

/**
 * Replaces known secrets, in plain and in encoded form, and whatever is shaped like a key, by `[redacted]`.
 */
export class Redactor {
  readonly #forms = new Set<string>();
  /** Finds every form; undefined while there is none. */
  #known: RegExp | undefined;
  #longest = 0;
  readonly #byInitial = new Map<string, readonly string[]>();

  /** Values shorter than four characters are not looked for: they would blot out half of every text. */
  add(secrets: Iterable<string>): void {
    const searched = [...secrets].filter((secret) => secret.length >= 4);
    for (const form of searched.flatMap(formsOf)) this.#forms.add(form);
    const longestFirst = [...this.#forms].sort((a, b) => b.length - a.length);
    const escaped = longestFirst.map((form) => form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
    this.#longest = longestFirst[0]?.length ?? 0;
    this.#byInitial.clear();
    for (const form of longestFirst) {
      const initial = form.charAt(0);
      this.#byInitial.set(initial, [...(this.#byInitial.get(initial) ?? []), form]);
    }
    this.#known = escaped.length > 0 ? new RegExp(escaped.join("|"), "g") : undefined;
  }

  /** Known values only: for text whose other words somebody may need. */
  readonly redactKnown = (text: string): string => {
    const clean = this.#known === undefined ? text : text.replace(this.#known, "[redacted]");
    return clean.includes("-4") ? clean.replace(ownToken, "[redacted]") : clean;
  };

  readonly redact = (text: string, level: RedactionLevel = "secrets"): string =>
    redactText(this.redactKnown(text), level);

  /** The value with every text in it redacted. */
  readonly redactJson = <T extends Json | JsonObject>(value: T, level?: RedactionLevel): T =>
    mapTexts(value, (text) => this.redact(text, level)) as T;

  /** For text that comes in pieces; `level` is asked for each. */
  readonly stream = (level: () => RedactionLevel): StreamRedactor =>
    new StreamRedactor(
      (text) => this.redact(text, level()),
      (text) => this.unfinishedAt(text, level()),
    );

  /**
   * Where a text ends with what may be the beginning of something to be redacted; its length where it does
   * not.
   */
  readonly unfinishedAt = (text: string, level: RedactionLevel): number => {
    const at = unfinishedAt(text, level, this.#unfinishedForm(text));
    if (at === text.length) return at;
    return this.#known === undefined ? at : moveOutside(text, this.#known, at);
  };

  #unfinishedForm(text: string): number {
    for (let at = Math.max(0, text.length - this.#longest + 1); at < text.length; at++) {
      const candidates = this.#byInitial.get(text.charAt(at));
      if (candidates?.some((form) => form.startsWith(text.slice(at)))) return at;
    }
    return text.length;
  }
}
