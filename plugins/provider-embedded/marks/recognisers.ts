import { isAction } from "../language/actions.ts";
import { keyOf } from "../language/concepts.ts";
import { endings } from "./languages.ts";
import type { Mark, MarkKind } from "./mark.ts";
import { numberWords } from "./number-words.ts";
import { isDirectoryLike, isPathLike } from "./path-like.ts";

type Found = Omit<Mark, "start" | "end" | "kind"> & { readonly kind?: MarkKind };

export interface Recogniser {
  readonly kind: MarkKind;
  /** Global. The first group, where there is one, is the marked piece; otherwise the whole match is. */
  readonly pattern: RegExp;
  /** undefined when the match is none after all. */
  readonly read?: (piece: string, match: RegExpExecArray) => Found | undefined;
}

const notNames = new Set(
  `a an the is in of to and or for with that this it my our your please at from on by as be which what who where how all any each every no not no-one
  structure tree listing list name names file files folder folders directory contents content called named current working whole root parent new empty same
  other another entire project here there only inside yourself itself me us them use used occur occurs appear appears anywhere somewhere detail general
  order mind total particular fact case time line english french german summer winter head then so else now later matching like doing does`.split(
    /\s+/,
  ),
);
const named = (piece: string): Found | undefined => (notNames.has(piece.toLowerCase()) ? undefined : { value: piece });
const place = (piece: string): Found | undefined => {
  const word = piece.toLowerCase();
  return notNames.has(word) || isAction(word) || keyOf(word) === "code" ? undefined : { value: piece, directory: true };
};
const namedPlace = (piece: string): Found | undefined =>
  notNames.has(piece.toLowerCase()) ? undefined : { value: piece, directory: true };
const trimmed = (piece: string): string => piece.replace(/[.,;:!?)\]]+$/, "");

/** In order: what an earlier one has marked, a later one leaves alone. */
export const recognisers: readonly Recogniser[] = [
  { kind: "text", pattern: /\bwith (?:the )?(?:content|contents|text):?\s+([{[<][\s\S]*)$/gi, read: (piece) => ({ value: piece.trim() }) },
  {
    kind: "text",
    pattern: /```[\w+-]*\n([\s\S]*?)```|`([^`\n]+)`|(?<!\w)"([^"]+)"(?!\w)|(?<!\w)'([^']+(?:'\w[^']*)*)'(?!\w)/g,
    read: (_, match) => ({ value: match.slice(1).find((group) => group !== undefined) ?? "" }),
  },
  {
    kind: "text",
    pattern: /\b(?:the following|these lines|as follows|(?:write|put|save|append|insert|add) this)\b[^:\n]*:\s*([^\s"'`][\s\S]*)$/gi,
    read: (piece) => ({ value: piece.trim() }),
  },
  {
    kind: "text",
    pattern: /\b(?:with (?:the )?(?:content|contents|text)|saying|(?:that|which) (?:says|reads))\b:?\s+(?!of\b)([^\s"'`][\s\S]*)$/gi,
    read: (piece) => ({ value: piece.trim() }),
  },
  {
    kind: "text",
    pattern:
      /(?<=\b(?:replace|change|swap|substitute|update|turn)\s+(?:the (?:word|text|string|name)\s+)?)([\w.$-]+)(?=\s+(?:with|by|to|for|into)\s+\S+\s+(?:in|inside|everywhere)\b)/gi,
    read: named,
  },
  {
    kind: "text",
    pattern:
      /(?<=\b(?:replace|change|swap|substitute|update|turn)\s+(?:the (?:word|text|string|name)\s+)?\S+\s+(?:with|by|to|for|into)\s+)([\w.$-]+)(?=\s+(?:in|inside|everywhere)\b)/gi,
    read: named,
  },
  { kind: "url", pattern: /\bhttps?:\/\/[^\s"'<>`]+/g, read: (piece) => ({ value: trimmed(piece) }) },
  { kind: "id", pattern: /\b(?:res|call|toolu|run|mem|todo)_[A-Za-z0-9]{5,}\b/g },
  { kind: "regex", pattern: /(?<=^|\s)\/((?:[^/\s\\]|\\.)*[\\^$*+?()[\]|{}](?:[^/\s\\]|\\.)*)\/[gimsuy]*(?=$|[\s,.?!])/g },
  {
    kind: "glob",
    pattern: /(?:starting|starts?|beginning|begins?) with\s+([\w.@-]+)/gi,
    read: (piece) => ({ value: `**/${trimmed(piece)}*` }),
  },
  { kind: "glob", pattern: /(?:ending|ends?) (?:in|with|on)\s+([\w.@-]+)/gi, read: (piece) => ({ value: `**/*${trimmed(piece)}` }) },
  {
    kind: "glob",
    pattern: /\bnames? (?:contains?|containing|includes?|has|have)\s+([\w.@-]+)/gi,
    read: (piece) => ({ value: `**/*${trimmed(piece)}*` }),
  },
  { kind: "glob", pattern: /\b(Docker|Make|Jenkins|Gem|Rake|Vagrant)files\b/g, read: (piece) => ({ value: `**/${piece}file` }) },
  {
    kind: "glob",
    pattern: /(?<=^|[\s(])(?:[\w./@~-]*(?:\*|\{[\w.-]+,)[\w.*{},/@-]*)/g,
    read: (piece) => (/^\*+[^*]*[^*.]\*\*$|^\*+$/.test(piece) ? undefined : { value: trimmed(piece) }),
  },
  { kind: "extension", pattern: /(?<=\b(?:all|every|any|the|of|no|how many)\s+)(\.[A-Za-z][A-Za-z0-9]{0,5})(?=$|[\s,.?!])/gi },
  {
    kind: "extension",
    pattern: /(?<=^|\s)(\.?[A-Za-z+]+)(?=\s+(?:files?|documents?|sources?|scripts?|images?|modules?)\b)/gi,
    read: (piece) => (piece.startsWith(".") ? { value: piece } : extensionOf(piece)),
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
    pattern: /\b(?:in |from )?here\b|\b(?:this|the current|the working|current|working) (?:folder|directory|dir)\b|(?<=^|\s)\.(?=$|\s)/gi,
    read: () => ({ value: "." }),
  },
  { kind: "path", pattern: /\b([\w@.-]+)\s+(?:folder|directory|dir|subfolder)\b/gi, read: place },
  {
    kind: "name",
    pattern: /\b(?:called|named|with the name|by the name(?: of)?|(?:new )?name)\s+(?:it )?([\w.@-]+)/gi,
    read: (piece) => named(trimmed(piece)),
  },
  { kind: "name", pattern: /^(?:new|create|make) (?:folder|directory|dir|file):\s*([\w.@-]+)$/gi, read: (piece) => named(trimmed(piece)) },
  {
    kind: "path",
    pattern: /\b(?:folder|directory|dir)\s+([\w@.-]+)(?=$|[\s?.!,])/gi,
    read: (piece) => {
      const found = namedPlace(trimmed(piece));
      return found && { ...found, loose: true };
    },
  },
  {
    kind: "symbol",
    pattern: /\b(?:function|class|method|variable|identifier|constant|symbol|interface|component|hook)\s+([A-Za-z_$][\w$]*)/g,
    read: named,
  },
  { kind: "text", pattern: /\b(?:word|string|term|phrase|text)\s+([A-Za-z_$][\w$-]*)/g, read: named },
  {
    kind: "symbol",
    pattern:
      /\b(?:[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|[A-Za-z]\w*_\w+|[A-Z][A-Z0-9]{3,}|[A-Za-z_$][\w$]*(?:\.[a-z]\w*)*(?=\(\)))(?:\(\))?|\b(?:console|Math|JSON|process|fmt|System|document|window)\.\w+/g,
    read: (piece) => ({ value: piece.replace(/\(\)$/, "") }),
  },
  {
    kind: "number",
    pattern: /(?<![\w.])\d+(?:\.\d+)?(?:st|nd|rd|th)?(?=[a-z%]{0,4}(?!\w))/gi,
    read: (piece) => ({ value: Number.parseFloat(piece) }),
  },
  {
    kind: "number",
    pattern: new RegExp(`\\b(?:${Object.keys(numberWords).join("|")})\\b(?=\\s+\\w)`, "gi"),
    read: (piece) => ({ value: numberWords[piece.toLowerCase()] ?? 0, loose: true }),
  },
  {
    kind: "path",
    pattern:
      /\b(?:in|under|inside|within|below|into|(?:listing|tree|contents|structure|entries) of)\s+(?:the\s+)?([a-z][\w@-]*)(?=$|[?.!,]|\s+(?:and|please|for|with|recursively)\b)/g,
    read: (piece) => {
      const found = place(piece);
      return found && { ...found, loose: true };
    },
  },
];

function extensionOf(word: string): Found | undefined {
  const value = endings[word.toLowerCase()];
  return value === undefined ? undefined : { value };
}

const pathOf = (token: string): Found | undefined => (isPathLike(token) ? { value: token, directory: isDirectoryLike(token) } : undefined);

/** A bare word after a shell command; "rm" and "mv" take more care, for they change something. */
const shellPath = (token: string, text: string): Found | undefined =>
  token === "and" || text.trim().split(/\s+/).length > 3
    ? undefined
    : { value: token, directory: !/\.\w/.test(token), loose: /^(?:rm|mv)/.test(text) && !isPathLike(token) };
