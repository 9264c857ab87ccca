import { defined, type JsonSchema, type OfferedTool, type Properties } from "@pergola/sdk";
import { deepSignatureOf, signatureOf } from "./signature.ts";
import { distinct } from "./unite-schemas.ts";

/** A family as it may be offered, the longest form first. */
export type Forms = readonly [
  whole: OfferedTool,
  withoutDescriptions: OfferedTool,
  bare: OfferedTool,
  signaturesOnly: OfferedTool,
];

/** A family in its forms, and how often this conversation has used it. */
export interface Candidate {
  readonly forms: Forms;
  readonly uses: number;
}

/** Characters of a purpose that is told in one line. */
const purposeLength = 100;
/** Characters of a list of values that is never left out. */
const shortValues = 120;

const tokens = new WeakMap<OfferedTool, number>();

/** Tokens of an offer in the form of the chat-completions format, at four characters each. */
export function tokensOf(offer: OfferedTool): number {
  const { name, description, parameters } = offer;
  const known = tokens.get(offer);
  if (known !== undefined) return known;
  const text = JSON.stringify({ type: "function", function: { name, description, parameters } });
  const count = Math.ceil((text.length + 1) / 4);
  tokens.set(offer, count);
  return count;
}

/** The first sentence of a text, on one line. */
export function purposeOf(text: string, length = purposeLength): string {
  const [line = ""] = text.split("\n");
  const [sentence = ""] = /^.*?[.!?](?=\s+[A-Z]|$)/.exec(line) ?? [line];
  if (sentence.length <= length) return sentence;
  return `${sentence.slice(0, length - 1)}…`;
}

const mapValues = (
  properties: Properties | undefined,
  change: (schema: JsonSchema) => JsonSchema,
): Properties | undefined =>
  properties &&
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, change(schema)]));

const choices = ({ anyOf = [], oneOf = [] }: JsonSchema): readonly JsonSchema[] => [...anyOf, ...oneOf];

/** One branch stands for itself, several as `anyOf`. */
function anyOf(branches: readonly JsonSchema[]): JsonSchema {
  const [first = {}, ...others] = distinct(branches);
  if (others.length === 0) return first;
  return { anyOf: [first, ...others] };
}

/** A schema's structure, without a word about what it means. */
function structureOf(schema: JsonSchema): JsonSchema {
  const { type, enum: values, const: constant, items, properties, required } = schema;
  const branches = choices(schema);
  if (branches.length > 0) return anyOf(branches.map(structureOf));
  return defined({
    type,
    enum: values,
    const: constant,
    items: items && structureOf(items),
    properties: mapValues(properties, structureOf),
    required: required?.length === 0 ? undefined : required,
  });
}

/** What a value may be: its type, and the values of a short enumeration. */
function typeOf(schema: JsonSchema): JsonSchema {
  const { type, items, enum: values, const: constant } = schema;
  const branches = choices(schema);
  if (branches.length > 0) return anyOf(branches.map(typeOf));
  const isShort = values !== undefined && JSON.stringify(values).length <= shortValues;
  return defined({
    type,
    items: items && typeOf(items),
    enum: isShort ? values : undefined,
    const: constant,
  });
}

function withProperties(
  { parameters }: OfferedTool,
  change: (schema: JsonSchema) => JsonSchema,
): OfferedTool["parameters"] {
  const { operation = {}, ...rest } = parameters.properties ?? {};
  return { ...parameters, properties: { operation, ...mapValues(rest, change) } };
}

/** What tells the rest, written as the operation that it is. */
const help = "help(about?)";

/** The operations with what they do in one line each, and parameters without descriptions. */
function withoutDescriptions(offer: OfferedTool, purpose: string): OfferedTool {
  const lines = (offer.operations ?? []).map(
    (operation) => `${signatureOf(operation)}: ${purposeOf(operation.description)}`,
  );
  return {
    ...offer,
    description: [purpose, ...lines, `${help}: The rest, of all operations or of one.`].join("\n"),
    parameters: withProperties(offer, structureOf),
  };
}

/** Signatures, with the names of nested fields, and types. */
function bare(offer: OfferedTool, purpose: string, isThirdParty: boolean): OfferedTool {
  const { operations = [] } = offer;
  const signatures = operations.map(deepSignatureOf);
  const lines = operations.map(({ description }, index) => `${signatures[index]}: ${purposeOf(description)}`);
  const own = [purposeOf(purpose), [...signatures, help].join(" ")];
  const description = isThirdParty ? [purpose, ...lines, help] : own;
  return {
    ...offer,
    description: description.join("\n"),
    parameters: withProperties(offer, typeOf),
  };
}

/** The same with the types of required parameters alone; the signatures name the others. */
function signaturesOnly(offer: OfferedTool): OfferedTool {
  const required = new Set((offer.operations ?? []).flatMap((operation) => operation.required));
  const { operation = {}, ...rest } = offer.parameters.properties ?? {};
  const needed = Object.entries(rest).filter(([name]) => required.has(name));
  const properties = { operation, ...Object.fromEntries(needed) };
  return { ...offer, parameters: { ...offer.parameters, properties } };
}

/**
 * A family in full, without descriptions, bare, and as its signatures. No form lacks an operation or the name
 * of a parameter, and none of a third party's lacks the purpose of an operation: nobody can tell it from the
 * name.
 */
export function formsOf(offer: OfferedTool, isThirdParty = false): Forms {
  const [purpose = ""] = offer.description.split("\n");
  const short = bare(offer, purpose, isThirdParty);
  return [offer, withoutDescriptions(offer, purpose), short, signaturesOnly(short)];
}

/** How long all offers together may be, in tokens. */
export interface OfferRoom {
  /** Above it, families lose descriptions and nested fields. */
  readonly budget: number;
  /** Above it, they also lose the types of optional parameters: the window has no room for more. */
  readonly ceiling: number;
}

const [least, most] = [3000, 12_000];

/** The room of a model's context window; `chosen` is the preference `tools.offer_tokens`. */
export function offerRoom(contextWindow: number, chosen: unknown): OfferRoom {
  const auto = Math.min(most, Math.max(least, Math.floor(contextWindow / 12)));
  return {
    budget: typeof chosen === "number" ? chosen : auto,
    ceiling: Math.max(least, Math.floor(0.4 * contextWindow)),
  };
}

const sumOf = (offers: readonly OfferedTool[]): number =>
  offers.reduce((sum, offer) => sum + tokensOf(offer), 0);

/** Whether all of them can be offered in full. */
export const fitWhole = (families: readonly Forms[], { budget }: OfferRoom): boolean =>
  sumOf(families.map(([whole]) => whole)) <= budget;

/** The candidates in the order in which they become shorter, those with the same number of uses together. */
function tiersOf(candidates: readonly Candidate[]): readonly (readonly Candidate[])[] {
  const longestFirst = candidates.toSorted((a, b) => tokensOf(b.forms[0]) - tokensOf(a.forms[0]));
  const counts = [...new Set(candidates.map(({ uses }) => uses))].toSorted((a, b) => a - b);
  return counts.map((count) => longestFirst.filter(({ uses }) => uses === count));
}

/**
 * The offers, in full where all of them together stay within the budget. Else those that the conversation has
 * used least become shorter, as few as need be: first they lose their descriptions, then nested fields. The
 * same tools with the same uses always give the same offers, so that what a provider caches of a prompt stays
 * good.
 */
export function fitOffers(
  candidates: readonly Candidate[],
  { budget, ceiling }: OfferRoom,
): readonly OfferedTool[] {
  const chosen = new Map(candidates.map((candidate) => [candidate, candidate.forms[0]]));
  let sum = sumOf([...chosen.values()]);
  const shorten = (some: readonly Candidate[], form: 1 | 2 | 3, limit: number): void => {
    for (const candidate of some) {
      if (sum <= limit) return;
      const [from, to] = [chosen.get(candidate) as OfferedTool, candidate.forms[form]];
      const saved = tokensOf(from) - tokensOf(to);
      if (saved > 0) chosen.set(candidate, to);
      sum -= Math.max(0, saved);
    }
  };
  const tiers = tiersOf(candidates);
  for (const tier of tiers) for (const form of [1, 2] as const) shorten(tier, form, budget);
  for (const tier of tiers) shorten(tier, 3, ceiling);
  return candidates.map((candidate) => chosen.get(candidate) as OfferedTool);
}
