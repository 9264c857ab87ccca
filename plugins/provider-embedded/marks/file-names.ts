import { endings } from "./languages.ts";
import { canBePlace } from "./names.ts";
import { isDirectoryLike, isPathLike } from "./path-like.ts";
import { type Found, type Recogniser, trimmed } from "./recogniser.ts";

const place = (piece: string): Found | undefined =>
  canBePlace(piece) ? { value: piece, directory: true } : undefined;
const pathOf = (token: string): Found | undefined =>
  isPathLike(token) ? { value: token, directory: isDirectoryLike(token) } : undefined;

function extensionOf(word: string): Found | undefined {
  const value = word.startsWith(".") ? word : endings[word.toLowerCase()];
  return value === undefined ? undefined : { value };
}

/** `*` and `{a,b}` patterns, but not words in bold. */
const globOf = (piece: string): Found | undefined =>
  /^\*+[^*]*[^*.]\*\*$|^\*+$/.test(piece) ? undefined : { value: trimmed(piece) };

/** A bare word after a shell command; `rm` and `mv` take more care, for they change something. */
function shellPath(token: string, text: string): Found | undefined {
  if (token === "and" || text.trim().split(/\s+/).length > 3) return undefined;
  return {
    value: token,
    directory: !/\.\w/.test(token),
    loose: /^(?:rm|mv)/.test(text) && !isPathLike(token),
  };
}

/** Files, folders, and patterns of them. */
export const fileNames: readonly Recogniser[] = [
  {
    kind: "glob",
    pattern: /(?:starting|starts?|beginning|begins?) with\s+([\w.@-]+)/gi,
    read: (piece) => ({ value: `**/${trimmed(piece)}*` }),
  },
  {
    kind: "glob",
    pattern: /(?:ending|ends?) (?:in|with|on)\s+([\w.@-]+)/gi,
    read: (piece) => ({ value: `**/*${trimmed(piece)}` }),
  },
  {
    kind: "glob",
    pattern: /\bnames? (?:contains?|containing|includes?|has|have)\s+([\w.@-]+)/gi,
    read: (piece) => ({ value: `**/*${trimmed(piece)}*` }),
  },
  {
    kind: "glob",
    pattern: /\b(Docker|Make|Jenkins|Gem|Rake|Vagrant)files\b/g,
    read: (piece) => ({ value: `**/${piece}file` }),
  },
  { kind: "glob", pattern: /(?<=^|[\s(])(?:[\w./@~-]*(?:\*|\{[\w.-]+,)[\w.*{},/@-]*)/g, read: globOf },
  {
    kind: "extension",
    pattern: /(?<=\b(?:all|every|any|the|of|no|how many)\s+)(\.[A-Za-z][A-Za-z0-9]{0,5})(?=$|[\s,.?!])/gi,
  },
  {
    kind: "extension",
    pattern: /(?<=^|\s)(\.?[A-Za-z+]+)(?=\s+(?:files?|documents?|sources?|scripts?|images?|modules?)\b)/gi,
    read: extensionOf,
  },
  { kind: "flag", pattern: /(?<=^\w+(?:\s+-\w+)*\s+)(-{1,2}[A-Za-z][\w-]*)/g },
  {
    kind: "path",
    pattern: /(?<=^(?:mkdir|mv|rm|ls|dir|ll)(?:\s+-\w+)*\s+(?:\S+\s+)?)([\w@.-]+)(?=$|\s)/g,
    read: (piece, match) => shellPath(piece, match.input),
  },
  { kind: "path", pattern: /(?<=^|[\s("])(?:[^\s"'`()]+)/g, read: (piece) => pathOf(trimmed(piece)) },
  {
    kind: "here",
    pattern:
      /\b(?:in |from )?here\b|\b(?:this|(?:the )?current|(?:the )?working) (?:folder|directory|dir)\b|(?<=^|\s)\.(?=$|\s)/gi,
    read: () => ({ value: "." }),
  },
  { kind: "path", pattern: /\b([\w@.-]+)\s+(?:folder|directory|dir|subfolder)\b/gi, read: place },
];
