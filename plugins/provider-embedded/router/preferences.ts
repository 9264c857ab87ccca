import { anyOf } from "../language/any-of.ts";
import { isPathLike } from "../marks/path-like.ts";
import type { Order } from "../phrase/order.ts";
import type { Phrase } from "../phrase/phrase.ts";
import type { Filling } from "../slots/fill-slots.ts";
import type { Route } from "./catalogue.ts";
import { weights } from "./weights.ts";

interface Preference {
  readonly when: (phrase: Phrase, order: Order) => boolean;
  /** Keys that the name of the preferred operation holds. */
  readonly name: readonly string[];
  /** Keys that it does not hold. */
  readonly without?: readonly string[];
}

const solid = (phrase: Phrase) => phrase.marks.filter(({ loose }) => loose !== true);
const onlyFile = (phrase: Phrase): boolean => {
  const [mark, ...others] = solid(phrase).filter(({ kind }) => kind !== "number");
  return mark?.kind === "path" && others.length === 0 && mark.directory !== true;
};

const isSearch = ({ text }: Phrase): boolean =>
  /\b(?:where|anywhere|somewhere|locate|is there a)\b/i.test(text);
const seeksFile = ({ text }: Phrase): boolean =>
  /\b(?:find|search for|look for) (?:an? |the |any |all )?files?\b/i.test(text) &&
  !/\b(?:computer|machine|laptop|pc)\b/i.test(text);
const seeksText = ({ text }: Phrase): boolean =>
  /\b(?:for|containing|contains?|mention(?:s|ing)?) (?!all|any|every|files?|the files?)[\w"'`]/i.test(
    text.replace(/^(?:search|look|grep) for /i, ""),
  );
const hasFiles = (phrase: Phrase): boolean =>
  solid(phrase).some(({ kind }) => kind === "glob" || kind === "extension");
const hasText = (phrase: Phrase): boolean =>
  solid(phrase).some(({ kind, value }) => kind === "text" && !isPathLike(String(value)));
const isTextSearch = (phrase: Phrase): boolean =>
  (hasFiles(phrase) && (seeksText(phrase) || hasText(phrase))) || isQuotedSearch(phrase);
const isQuotedSearch = (phrase: Phrase): boolean =>
  isSearch(phrase) &&
  solid(phrase).some(
    ({ kind, value }) => kind === "regex" || (kind === "text" && !isPathLike(String(value))),
  );
const onlyFiles = (phrase: Phrase): boolean =>
  !seeksText(phrase) &&
  solid(phrase).some(({ kind }) => kind === "glob" || kind === "extension") &&
  solid(phrase).every(({ kind }) => kind !== "text" && kind !== "symbol" && kind !== "regex");

const onlyDirectory = ({ marks: [mark, ...others] }: Phrase): boolean =>
  others.length === 0 && mark !== undefined && (mark.kind === "here" || mark.directory === true);

const seeksCode = anyOf(
  "i",
  /^where (?:in|do we|do i|does (?:the|this|our)|is (?:the|our)|are (?:the|our)) \w+ \w+ /,
  /^(?:is there (?:any )?(?:code|something)|(?:in )?which (?:file|part|place|code|module|component|section)) \w+ \w+ /,
);

/** What people mean when they do not name an action at all. */
const preferences: readonly Preference[] = [
  {
    when: (phrase, order) =>
      onlyFile(phrase) &&
      !isSearch(phrase) &&
      (order.objections[0] === "question" || order.verb === undefined || order.verb.key === "summary"),
    name: ["read", "file"],
  },
  {
    when: (phrase) => onlyFile(phrase) && /\baccording to\b|\bsay(?:s)? (?:about|on)\b/i.test(phrase.text),
    name: ["read", "file"],
  },
  {
    when: (phrase) => onlyFile(phrase) && /\b(?:kind|type|sort) of file\b|\bfile type\b/i.test(phrase.text),
    name: ["file", "details"],
  },
  {
    when: ({ text }) =>
      /\b(?:type|syntax|compile|compiler|lint) (?:error|problem|mistake|issue)s?\b/i.test(text),
    name: ["error"],
  },
  {
    when: (phrase, order) => onlyDirectory(phrase) && order.objections[0] === "question",
    name: ["list", "directory"],
  },
  {
    when: (phrase) => (onlyFile(phrase) && (isSearch(phrase) || seeksFile(phrase))) || onlyFiles(phrase),
    name: ["file", "search"],
  },
  { when: isTextSearch, name: ["search"], without: ["file", "meaning"] },
  {
    when: (phrase) => solid(phrase).length === 0 && seeksCode.test(phrase.text),
    name: ["meaning", "search"],
  },
  { when: (phrase) => solid(phrase).some(({ kind }) => kind === "id"), name: ["read", "result"] },
  { when: (phrase) => solid(phrase).some(({ kind }) => kind === "url"), name: ["fetch"] },
];

/** Something on top for the operation that a phrase without a verb of its own usually means. */
export function prefers(phrase: Phrase, order: Order, route: Route, { missing }: Filling): number {
  if (route.careful || missing.length > 0) return 0;
  const fits = preferences.some(
    ({ when, name, without = [] }) =>
      name.every((key) => route.nameKeys.has(key)) &&
      !without.some((key) => route.nameKeys.has(key)) &&
      when(phrase, order),
  );
  return fits ? weights.preferred : 0;
}
