import { attributeNamed } from "../index/comparison.ts";
import { phrasesOf } from "../index/phrases.ts";
import type { IndexQuery } from "../index/queries.ts";
import type { Indexer } from "./ask-platform.ts";
import { runIndexer } from "./run-indexer.ts";

/** Attributes by the names that Spotlight gives them. */
const attributes: Readonly<Record<string, string>> = {
  name: "kMDItemFSName",
  size: "kMDItemFSSize",
  modified: "kMDItemFSContentChangeDate",
  title: "kMDItemTitle",
  author: "kMDItemAuthors",
  artist: "kMDItemAuthors",
  album: "kMDItemAlbum",
  composer: "kMDItemComposer",
  genre: "kMDItemMusicalGenre",
  keywords: "kMDItemKeywords",
  width: "kMDItemPixelWidth",
  height: "kMDItemPixelHeight",
  duration: "kMDItemDurationSeconds",
  pages: "kMDItemNumberOfPages",
  camera: "kMDItemAcquisitionModel",
  date_taken: "kMDItemContentCreationDate",
  created: "kMDItemContentCreationDate",
};

const text = (value: string): string => value.replaceAll(/["\\]/g, "\\$&");
const literal = (value: string): string => text(value).replaceAll("*", "\\*");
const inName = (part: string): string => `kMDItemFSName == "*${text(part)}*"cd`;
const inText = (part: string): string => `kMDItemTextContent == "${literal(part.replace(/\*$/, ""))}*"cd`;

function compared(attribute: string, value: string): string | undefined {
  const name = /^kMDItem\w{1,60}$/.test(attribute) ? attribute : attributes[attributeNamed(attribute)];
  if (name === undefined) return undefined;
  const comparison = value.trim();
  const [, operator = "=", number] = /^(>=|<=|>|<|=)?\s*(-?\d+(?:\.\d+)?)$/.exec(comparison) ?? [];
  if (number !== undefined) return `${name} ${operator.replace(/^=$/, "==")} ${number}`;
  if (/^(>|<|=)|\.\./.test(comparison)) return undefined;
  return `${name} == "*${literal(comparison)}*"cd`;
}

/**
 * The question in Spotlight's language; undefined when it cannot be asked there, empty when nothing is asked.
 */
export function spotlightQuery(query: IndexQuery): string | undefined {
  switch (query.kind) {
    case "recent":
      return `kMDItemFSContentChangeDate >= $time.iso(${new Date(query.since).toISOString()})`;
    case "metadata":
      return compared(query.attribute, query.value);
    case "content":
      return phrasesOf(query.text, true).map(inText).join(" && ");
    case "names":
      return phrasesOf(query.text, true).map(inName).join(" && ");
    case "all":
      return phrasesOf(query.text, true)
        .map((part) => `(${inName(part)} || ${inText(part)})`)
        .join(" && ");
  }
}

/** Spotlight's answer, root by root. */
export const mdfind: Indexer = async (context, query, roots) => {
  const question = spotlightQuery(query);
  if (question === undefined) return undefined;
  if (question === "") return [];
  const files: (readonly string[])[] = [];
  for (const root of roots)
    files.push(await runIndexer(context, "mdfind", ["-0", "-onlyin", root, question]));
  return files.flat();
};
