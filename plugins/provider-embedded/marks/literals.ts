import { anyOf } from "../language/any-of.ts";
import { canBeName } from "./names.ts";
import { type Found, type Recogniser, trimmed } from "./recogniser.ts";

const whole = (piece: string): Found => ({ value: piece.trim() });
const named = (piece: string): Found | undefined => (canBeName(piece) ? { value: piece } : undefined);

const quotes = anyOf(
  "g",
  /```[\w+-]*\n([\s\S]*?)```/,
  /`([^`\n]+)`/,
  /(?<!\w)"([^"]+)"(?!\w)/,
  /(?<!\w)'([^']+(?:'\w[^']*)*)'(?!\w)/,
);

/** A patch between its own marks, or a unified diff to the end. */
const patches = anyOf(
  "gm",
  /(\*\*\* Begin Patch\n[\s\S]*?^\*\*\* End Patch)/,
  /^((?:diff --git |--- )\S[^\n]*\n[\s\S]*?\n@@[\s\S]*?)(?=\n```|\s*$(?![\s\S]))/,
);

const exchange = String.raw`\b(?:replace|change|swap|substitute|update|turn)\s+(?:the (?:word|text|string|name)\s+)?`;
const link = String.raw`\s+(?:with|by|to|for|into)\s+`;
const place = String.raw`(?=\s+(?:in|inside|everywhere)\b)`;

/**
 * Pieces that are meant letter by letter: quoted, after a colon, or in the place where a literal text stands.
 */
export const literals: readonly Recogniser[] = [
  { kind: "text", pattern: patches },
  { kind: "text", pattern: /\bwith (?:the )?(?:content|contents|text):?\s+([{[<][\s\S]*)$/gi, read: whole },
  {
    kind: "text",
    pattern: quotes,
    read: (_, match) => ({ value: match.slice(1).find((group) => group !== undefined) ?? "" }),
  },
  {
    kind: "text",
    pattern:
      /\b(?:the following|these lines|as follows|(?:write|put|save|append|insert|add) this)\b[^:\n]*:\s*([^\s"'`][\s\S]*)$/gi,
    read: whole,
  },
  {
    kind: "text",
    pattern:
      /\b(?:with (?:the )?(?:content|contents|text)|saying|(?:that|which) (?:says|reads))\b:?\s+(?!of\b)([^\s"'`][\s\S]*)$/gi,
    read: whole,
  },
  {
    kind: "text",
    pattern: new RegExp(String.raw`(?<=${exchange})([\w.$-]+)(?=${link}\S+${place})`, "gi"),
    read: named,
  },
  {
    kind: "text",
    pattern: new RegExp(String.raw`(?<=${exchange}\S+${link})([\w.$-]+)${place}`, "gi"),
    read: named,
  },
  { kind: "url", pattern: /\bhttps?:\/\/[^\s"'<>`]+/g, read: (piece) => ({ value: trimmed(piece) }) },
  { kind: "address", pattern: /(?<![\w@./-])[\w.+-]+@[\w-]+(?:\.[\w-]+)*(?![\w@])/g },
  { kind: "id", pattern: /\b(?:res|call|toolu|run|mem|todo|agent)_[A-Za-z0-9]{5,}\b/g },
  {
    kind: "id",
    pattern: /(?<![\w./-])(?=[\w-]*\d)(?=[\d-]*[a-f])[\da-f]{2,}-[\da-f][\w-]*(?:#\w+)?(?![\w./])/g,
  },
  {
    kind: "regex",
    pattern: /(?<=^|\s)\/((?:[^/\s\\]|\\.)*[\\^$*+?()[\]|{}](?:[^/\s\\]|\\.)*)\/[gimsuy]*(?=$|[\s,.?!])/g,
  },
];
