import { defined, type JsonSchema, type OfferedTool } from "@pergola/sdk";

/** Bytes of all offered tools together, as JSON in the form of the chat-completions format. */
export const mostBytes = 12_288;

const bytes = new WeakMap<OfferedTool, number>();

function bytesOf(offer: OfferedTool): number {
  const { name, description, parameters } = offer;
  const known = bytes.get(offer);
  if (known !== undefined) return known;
  const text = JSON.stringify({ type: "function", function: { name, description, parameters } });
  const size = Buffer.byteLength(text) + 1;
  bytes.set(offer, size);
  return size;
}

/** What a value may be, without words: types, and the values of short enumerations. */
function bare({ type, items, enum: values }: JsonSchema): JsonSchema {
  const isShort = values !== undefined && JSON.stringify(values).length <= 120;
  return defined({ type, items: items && bare(items), enum: isShort ? values : undefined });
}

/** What operations need, by name; those that need nothing are in the enumeration alone. */
const needsOf = ({ operations = [] }: OfferedTool): string =>
  operations
    .filter(({ required }) => required.length > 0)
    .map(({ name, required }) => `${name}(${required.join(", ")})`)
    .join(" ");

function shortened(offer: OfferedTool, isChosen: (key: string) => boolean, more: string): OfferedTool {
  const { operations = [], parameters } = offer;
  const { operation, ...rest } = parameters.properties ?? {};
  const [purpose = ""] = offer.description.split("\n");
  const chosen = Object.entries(rest).filter(([key]) => isChosen(key));
  const properties = {
    operation: operation ?? {},
    ...Object.fromEntries(chosen.map(([key, schema]) => [key, bare(schema)])),
  };
  const short = { ...offer, description: purpose, parameters: { ...parameters, properties } };
  if (operations.length === 1) return short;
  return { ...short, description: [purpose, needsOf(offer), more].filter(Boolean).join(" ") };
}

/** A family with its operations' names and parameters, without words; its operation `help` tells the rest. */
export const shortOffer = (offer: OfferedTool): OfferedTool =>
  shortened(offer, () => true, "More: operation help.");

/**
 * The same with the parameters that some operation needs; the others are taken all the same, and `help` names
 * them.
 */
export function terseOffer(offer: OfferedTool): OfferedTool {
  const needed = new Set((offer.operations ?? []).flatMap(({ required }) => required));
  if (offer.operations?.length === 1) return shortOffer(offer);
  return shortened(offer, (key) => needed.has(key), "More parameters: operation help.");
}

/** A family in its forms, the longest first. */
export type Forms = readonly [full: OfferedTool, short: OfferedTool, terse: OfferedTool];

export const formsOf = (offer: OfferedTool): Forms => [offer, shortOffer(offer), terseOffer(offer)];

/**
 * The offers, in full where all of them together stay within `mostBytes`. Else the longest become short, as
 * few as need be; and where that is not enough the last become terse. The same set of tools always gives the
 * same offers, so that what a provider caches of a prompt stays good.
 */
export function fitOffers(families: readonly Forms[]): readonly OfferedTool[] {
  const chosen = families.map(() => 0);
  let over = families.reduce((sum, [full]) => sum + bytesOf(full), 1) - mostBytes;
  const shrink = (index: number, to: 1 | 2): void => {
    const [forms, from] = [families[index] as Forms, chosen[index] as 0 | 1];
    if (over <= 0) return;
    over -= bytesOf(forms[from]) - bytesOf(forms[to]);
    chosen[index] = to;
  };
  const indexes = [...families.keys()];
  const length = (index: number): number => bytesOf((families[index] as Forms)[0]);
  for (const index of indexes.toSorted((a, b) => length(b) - length(a) || a - b)) shrink(index, 1);
  for (const index of indexes.toReversed()) shrink(index, 2);
  return families.map((forms, index) => forms[chosen[index] as 0 | 1 | 2]);
}
