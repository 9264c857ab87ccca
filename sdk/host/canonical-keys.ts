import { isObject } from "../util/is-object.ts";
import { readAs } from "./read-as.ts";
import type { JsonSchema } from "../util/schema.ts";

type FoldOptions = { readonly defaults?: boolean; readonly coerce?: boolean };

/**
 * An accepted spelling of a property. Rank 0 is the canonical one; of several that are sent at once the
 * lowest counts.
 */
type Spelling = {
  readonly spelling: string;
  readonly name: string;
  readonly rank: number;
  readonly schema: JsonSchema;
};

/** How a schema lets things be spelled, worked out once. */
interface Plan {
  readonly keys: ReadonlyMap<string, Spelling>;
  readonly values: ReadonlyMap<string, string>;
  readonly items: JsonSchema | undefined;
  readonly defaults: readonly (readonly [name: string, value: unknown])[];
}

const plans = new WeakMap<JsonSchema, Plan>();
const folded = (text: string): string => text.toLowerCase().replaceAll("-", "_");
const camelCase = (word: string): string =>
  word.replace(/(?<=.)_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
const snakeCase = (word: string): string => word.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();

function makePlan(schema: JsonSchema): Plan {
  const parts = [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), schema];
  const keys = parts
    .flatMap((part) => Object.entries(part.properties ?? {}))
    .flatMap(([name, property]) => {
      const ranked = [
        [name],
        ...[name, ...(property.aliases ?? [])].map((word) => [word, camelCase(word), snakeCase(word)]),
      ];
      return ranked.flatMap((spellings, rank) =>
        spellings.map((spelling) => ({ spelling, name, rank, schema: property })),
      );
    });
  const values = parts
    .flatMap((part) => part.enum ?? [part.const])
    .filter((value) => typeof value === "string");
  const spelled = [
    ...values.map((value) => [folded(value), value] as const),
    ...values.map((value) => [value, value] as const),
  ];
  const defaults = Object.entries(schema.properties ?? {}).map(
    ([name, property]) => [name, property.default] as const,
  );
  return {
    keys: new Map(keys.toSorted((a, b) => b.rank - a.rank).map((key) => [key.spelling, key])),
    values: new Map(spelled),
    items: parts.findLast((part) => part.items !== undefined)?.items,
    defaults: defaults.filter(([, value]) => value !== undefined),
  };
}

function foldKeys(
  value: Readonly<Record<string, unknown>>,
  plan: Plan,
  options: FoldOptions,
  unknown: string[],
): object {
  const canonical: Record<string, unknown> = {};
  const others: Spelling[] = [];
  for (const key in value) {
    const known = plan.keys.get(key);
    if (known === undefined) {
      unknown.push(key);
      if (key !== "__proto__") canonical[key] = value[key];
    } else if (known.rank > 0) others.push(known);
    else canonical[key] = fold(value[key], known.schema, options);
  }
  for (const { name, spelling, schema } of others.sort((a, b) => a.rank - b.rank)) {
    if (!Object.hasOwn(canonical, name)) canonical[name] = fold(value[spelling], schema, options);
  }
  if (options.defaults)
    for (const [name, item] of plan.defaults)
      if (!Object.hasOwn(canonical, name)) canonical[name] = structuredClone(item);
  return canonical;
}

function planOf(schema: JsonSchema): Plan {
  const plan = plans.get(schema) ?? makePlan(schema);
  plans.set(schema, plan);
  return plan;
}

function fold(original: unknown, schema: JsonSchema, options: FoldOptions, unknown: string[] = []): unknown {
  const plan = planOf(schema);
  const { items, values } = plan;
  let value = original;
  if (options.coerce) value = readAs(original, schema);
  if (typeof value === "string") return values.get(value) ?? values.get(folded(value)) ?? value;
  if (Array.isArray(value) && items) return value.map((item) => fold(item, items, options));
  if (isObject(value)) return foldKeys(value, plan, options, unknown);
  return value;
}

/**
 * The value with the schema's own names: other case forms and `aliases` become the canonical key, which wins
 * where both stand, and enumerated values lose differences of case and of `-` and `_`. What the schema does
 * not know stays, and is named if it stands at the top. `defaults` fills in missing properties; `coerce`
 * reads values of a wrong type as the type that was meant.
 */
export function canonicalKeys(value: unknown, schema: JsonSchema, options: FoldOptions = {}) {
  const unknown: string[] = [];
  return { value: fold(value, schema, options, unknown), unknown };
}
