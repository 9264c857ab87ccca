import type { JsonSchema, OfferedTool } from "@pergola/sdk";

/** Bytes of all offered tools together, as JSON in the form of the chat-completions format. */
export const mostBytes = 12_288;

const bytes = new WeakMap<OfferedTool, number>();

function bytesOf(offer: OfferedTool): number {
  const { name, description, parameters } = offer;
  const known =
    bytes.get(offer) ?? Buffer.byteLength(JSON.stringify({ type: "function", function: { name, description, parameters } })) + 1;
  bytes.set(offer, known);
  return known;
}

/** What a value may be, without words: types, and the values of short enumerations. */
function bare({ type, items, enum: values }: JsonSchema): JsonSchema {
  const isShort = values !== undefined && JSON.stringify(values).length <= 120;
  return {
    ...(type === undefined ? {} : { type }),
    ...(items === undefined ? {} : { items: bare(items) }),
    ...(isShort ? { enum: values } : {}),
  };
}

/** A family with its operations' names and parameters only; its operation `help` tells the rest. */
export function shortOffer(offer: OfferedTool): OfferedTool {
  const { operations = [], parameters } = offer;
  const { operation, ...rest } = parameters.properties ?? {};
  const signatures = operations.map(({ name, required }) => `${name}(${required.join(", ")})`).join(" ");
  const [purpose = ""] = offer.description.split("\n");
  const description = operations.length === 1 ? purpose : `${purpose} ${signatures}. Operation help explains them.`;
  const properties = {
    operation: operation ?? {},
    ...Object.fromEntries(Object.entries(rest).map(([key, schema]) => [key, bare(schema)])),
  };
  return { ...offer, description, parameters: { ...parameters, properties } };
}

/** The same without what its operations can do without. A family with one operation keeps all: nothing would say what is missing. */
export function shortestOffer(offer: OfferedTool): OfferedTool {
  const { operations = [] } = offer;
  const short = shortOffer(offer);
  if (operations.length === 1) return short;
  const needed = new Set(["operation", ...operations.flatMap(({ required }) => required)]);
  const properties = Object.fromEntries(Object.entries(short.parameters.properties ?? {}).filter(([key]) => needed.has(key)));
  return { ...short, parameters: { ...short.parameters, properties } };
}

type Shorten = (offer: OfferedTool) => OfferedTool;

/** Shortens the longest first, as few as need be. */
function shortenLongest(offers: readonly OfferedTool[], shorten: Shorten): readonly OfferedTool[] {
  let over = offers.reduce((sum, offer) => sum + bytesOf(offer), "[".length) - mostBytes;
  const short = new Map<OfferedTool, OfferedTool>();
  for (const offer of offers.toSorted((a, b) => bytesOf(b) - bytesOf(a) || (a.name < b.name ? -1 : 1))) {
    if (over <= 0) break;
    short.set(offer, shorten(offer));
    over -= bytesOf(offer) - bytesOf(shorten(offer));
  }
  return offers.map((offer) => short.get(offer) ?? offer);
}

/**
 * The offers, in full where all of them together stay within `mostBytes`; else the longest are shortened first, as few as need be, and where
 * that is not enough, again in the next way. The same set of tools always gives the same offers, so that what a provider caches of a prompt
 * stays good.
 */
export const fitOffers = (offers: readonly OfferedTool[], ways: readonly Shorten[]): readonly OfferedTool[] =>
  ways.reduce(shortenLongest, offers);
