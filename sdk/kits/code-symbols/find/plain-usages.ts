import type { Usage } from "./usage.ts";
import type { UsageKind } from "../languages/language.ts";
import { extensionOf } from "../languages/languages.ts";
import { wordsOf } from "../languages/selector.ts";
import { occurrences } from "./words.ts";

const quoted = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/;
const doubleQuoted = /"(?:[^"\\\n]|\\.)*"/;
const slashes = /\/\/.*|\/\*[^]*?(?:\*\/|$)/;
const hashes = /#.*/;
const dashes = /--.*/;
const semicolons = /;.*/;
const percents = /%.*/;
const apostrophes = /'.*/;

/** What is no code in languages that no grammar reads here, by the ends of their files' names. */
const families: readonly (readonly [extensions: string, strings: RegExp, comments: RegExp])[] = [
  ["kt kts swift scala sc dart groovy gradle m mm proto sol v sv zig fs fsx vue svelte", quoted, slashes],
  ["scss less", quoted, slashes],
  ["r jl nim pl pm ex exs fish tcl cr coffee tf graphql cmake mk", quoted, hashes],
  ["lua sql", quoted, dashes],
  ["hs elm vhd vhdl adb ads", doubleQuoted, dashes],
  ["clj cljs cljc el lisp scm rkt", doubleQuoted, semicolons],
  ["erl hrl", doubleQuoted, percents],
  ["vb", doubleQuoted, apostrophes],
];

const notCode = new Map(
  families.flatMap(([extensions, strings, comments]) =>
    wordsOf(extensions).map(
      (extension) => [extension, new RegExp(`${strings.source}|${comments.source}`, "g")] as const,
    ),
  ),
);

/** For code whose own grammar gave up. */
const anyNoise = new RegExp(`${quoted.source}|${slashes.source}`, "g");

const definers =
  /\b(def|defp|defn|defun|defmodule|define|fun|func|function|fn|proc|sub|class|struct|record|trait|protocol|interface|object|enum|type|typealias|module|message|service|contract|let|val|var|const|table|view)\s+$/i;
const around = 80;

/** Whether a file is code in a language that no grammar reads here. */
export const isPlainCode = (path: string): boolean => notCode.has(extensionOf(path));

/**
 * Usages as far as the words around a symbol tell, which are fewer kinds: nothing is told to be a
 * declaration.
 */
export function plainUsages(path: string, text: string, symbol: string): readonly Usage[] {
  const noise = [...text.matchAll(notCode.get(extensionOf(path)) ?? anyNoise)].map(
    ({ index, 0: { length } }) => [index, index + length] as const,
  );
  const usages: Usage[] = [];
  let passed = 0;
  for (const at of occurrences(text, symbol)) {
    while ((noise[passed]?.[1] ?? Infinity) <= at) passed += 1;
    if ((noise[passed]?.[0] ?? Infinity) <= at) continue;
    const end = at + symbol.length;
    const kind = kindAt(text.slice(Math.max(0, at - around), at), text.slice(end, end + around));
    usages.push({ at, kind });
  }
  return usages;
}

function kindAt(before: string, after: string): UsageKind {
  if (definers.test(before)) return "definition";
  if (/^[ \t]*\(/.test(after)) return "call";
  return "reference";
}
