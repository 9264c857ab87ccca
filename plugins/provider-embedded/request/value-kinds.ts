import { isPathLike } from "./path-like.ts";
import { isUnit } from "./units.ts";

/** What a value looks like. */
export type ValueKind =
  | "number"
  | "date"
  | "path"
  | "here"
  | "url"
  | "address"
  | "id"
  | "unit"
  | "sum"
  | "glob"
  | "code"
  | "proper"
  | "word"
  | "text";

const sumWords = /\b(?:of|times|plus|minus|over|divided by|mod)\b|[a-z]+(?=\()/g;

function isSum(value: string): boolean {
  const signs = value.toLowerCase().replaceAll(sumWords, " * ");
  return /^[\d\s.,()+\-*/^%×÷]+$/.test(signs) && /\d/.test(signs) && /[-+*/^%×÷]/.test(signs);
}

const currentFolder =
  /^(?:in(?:side)? )?(?:here|(?:this|the (?:current|working)) (?:folder|directory|project))$/i;

const tests: Readonly<Record<Exclude<ValueKind, "date">, (value: string) => boolean>> = {
  number: (value) => /^[$€£]?-?\d+(?:[.,]\d+)*%?$/.test(value),
  url: (value) => /^https?:\/\/\S+$/.test(value),
  address: (value) => /^[^\s@]+@[^\s@]+$/.test(value),
  unit: isUnit,
  sum: isSum,
  glob: (value) => /^[^\s*{]*[*{]\S*$/.test(value),
  path: isPathLike,
  here: (value) => currentFolder.test(value),
  id: (value) => /^(?=\S*\d)[A-Za-z\d]\S*[-_]\S+$/.test(value),
  code: (value) => /^(?=.*(?:_|[a-z][A-Z]|[A-Z]{2}|\(\)|^[A-Z]))[A-Za-z_$][\w$.]*(?:\(\))?$/.test(value),
  proper: (value) => /^\p{Lu}/u.test(value),
  word: (value) => /^[^\s,;]+$/.test(value),
  text: () => true,
};

/** True when a value may stand where values of this kind are expected. */
export const isOfKind = (value: string, kind: Exclude<ValueKind, "date">): boolean => tests[kind](value);

/** Kinds that can be found anywhere in a sentence, because little else looks like them. */
export const distinctKinds = ["url", "address", "path", "id", "number", "code"] as const;

/** The kind that all values have in common. One that is shared by a single value tells nothing: `word`. */
export function commonKind(values: readonly string[]): ValueKind {
  const kinds = ["url", "address", "id", "unit", "sum", "glob", "code", "proper", "word"] as const;
  const all = kinds.find((kind) => values.every((value) => isOfKind(value, kind)));
  if (values.length === 0 || (all === "word" && values.length === 1)) return "text";
  return all ?? "text";
}

/** `$1,250` is 1250. */
export const numberOf = (value: string): number =>
  Number.parseFloat(value.replace(/^[$€£]/, "").replaceAll(",", ""));
