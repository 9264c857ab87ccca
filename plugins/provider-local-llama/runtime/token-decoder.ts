import type { LlamaModel, Token } from "node-llama-cpp";
import { callEnd, callStart, thoughts } from "./marks.ts";

const unfinished = "\ufffd";
/** A character of four bytes may take as many tokens. */
const longest = 4;

/** Turns tokens into text; a character whose bytes are spread over tokens comes when it is whole. */
export class TokenDecoder {
  readonly #model: LlamaModel;
  readonly #marks: ReadonlyMap<Token, string>;
  #before: Token[] = [];
  #pending: Token[] = [];

  constructor(model: LlamaModel) {
    this.#model = model;
    this.#marks = marksOf(model);
  }

  push(token: Token): string {
    const mark = this.#marks.get(token);
    if (mark !== undefined) return this.end() + mark;
    this.#pending.push(token);
    const text = this.#model.detokenize(this.#pending, false, this.#before);
    if (text.endsWith(unfinished) && this.#pending.length < longest) return "";
    return this.#take(text);
  }

  end(): string {
    if (this.#pending.length === 0) return "";
    return this.#take(this.#model.detokenize(this.#pending, false, this.#before));
  }

  #take(text: string): string {
    this.#before = [...this.#before, ...this.#pending].slice(-4);
    this.#pending = [];
    return text;
  }
}

const known = new WeakMap<LlamaModel, ReadonlyMap<Token, string>>();

/** In some vocabularies a mark is a token of its own, of a kind that is not shown. */
function marksOf(model: LlamaModel): ReadonlyMap<Token, string> {
  const found = known.get(model) ?? new Map(wordsAsTokens(model));
  known.set(model, found);
  return found;
}

function wordsAsTokens(model: LlamaModel): readonly (readonly [Token, string])[] {
  const words = [callStart, callEnd, ...thoughts.flatMap(({ start, end }) => [start, end])];
  return words.flatMap((word) => {
    const [token, ...others] = model.tokenize(word, true, "trimLeadingSpace");
    if (token === undefined || others.length > 0) return [];
    return [[token, word] as const];
  });
}
