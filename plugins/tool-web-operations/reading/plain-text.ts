import type { Article } from "./read-tasks.ts";
import { eachToken } from "./tokens.ts";
import { tidy } from "./tidy.ts";

const unseen = new Set(
  "script style noscript template iframe object svg canvas select textarea head".split(" "),
);
const inline = new Set(
  (
    "a abbr b bdi bdo cite code data em font i kbd label mark q " +
    "s samp small span strong sub sup time u var wbr"
  ).split(" "),
);

const linesOf = (pieces: readonly string[]): readonly string[] =>
  pieces
    .join("")
    .split("\n")
    .map((line) => line.trim());

/**
 * All the words of a page, without a tree: a new line at each element that is not inside a line. Linear in
 * time.
 */
export function plainText(html: string): Article {
  const [pieces, title]: [string[], string[]] = [[], []];
  let [hidden, inTitle] = ["", false];
  const border = (name: string): void => void (hidden === "" && !inline.has(name) && pieces.push("\n"));
  eachToken(html, {
    open: (name) => {
      if (name === "title" && title.length === 0) inTitle = true;
      if (hidden === "body" || name === "body") hidden = "";
      if (hidden === "" && unseen.has(name)) hidden = name;
      border(name);
    },
    close: (name) => {
      if (name === "title") inTitle = false;
      if (hidden === name) hidden = "";
      border(name);
    },
    text: (text) => {
      if (inTitle) title.push(text);
      if (hidden === "" && !inTitle) pieces.push(text.replace(/\s+/g, " "));
    },
  });
  return {
    title: tidy(title.join("")),
    text: tidy(linesOf(pieces).join("\n")),
    isPlain: true,
  };
}
