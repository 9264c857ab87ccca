import { courtesyLength } from "../language/politeness.ts";
import type { MarkKind } from "../marks/mark.ts";
import { isPathLike } from "../marks/path-like.ts";
import type { Phrase } from "./phrase.ts";

/**
 * What stands for a mark in the sentence that is embedded, so that its own words do not lead the meaning
 * astray.
 */
const nouns: Readonly<Record<MarkKind, string>> = {
  text: "this text",
  url: "the web page",
  id: "the stored result",
  regex: "this pattern",
  glob: "files",
  extension: "source",
  path: "notes.txt",
  here: "this folder",
  symbol: "myFunction",
  address: "user@host",
  name: "something",
  number: "10",
  date: "tomorrow",
  flag: "",
};

/** The phrase as an ordinary sentence: courtesy off, marks replaced by nouns. */
export function naturalText(phrase: Phrase): string {
  let text = "";
  let last = courtesyLength(phrase.text);
  for (const { kind, value, directory, start, end } of phrase.marks.filter((mark) => mark.start >= last)) {
    text +=
      phrase.text.slice(last, start) +
      (kind === "path" && directory === true
        ? "src"
        : kind === "text" && isPathLike(String(value))
          ? nouns.path
          : nouns[kind]);
    last = end;
  }
  return (text + phrase.text.slice(last)).replaceAll(/\s+/g, " ").trim().slice(0, 300);
}
