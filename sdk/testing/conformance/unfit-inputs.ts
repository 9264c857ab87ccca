import type { Json, JsonObject, JsonSchema, Operation } from "@pergola/sdk";

/** Arguments that are odd in one place. */
export interface UnfitInput {
  /** In words, for the failure. */
  readonly what: string;
  readonly value: JsonObject;
  /** The schema allows them: the call may succeed. */
  readonly allowed: boolean;
}

const typesOf = ({ type }: JsonSchema): readonly string[] => (type === undefined ? [] : [type].flat());

/** Texts that programs stumble over, as far as a schema of type string allows them. */
const awkwardTexts = ["", " ", "\u0000", "../..", "%00", "\ud800", "-", "🌿".repeat(200), "a\nb\r\tc"];

function awkwardValues(schema: JsonSchema): readonly Json[] {
  const { enum: choices, format, pattern, minLength = 0, maxLength = Infinity, minimum, maximum } = schema;
  if (choices !== undefined || pattern !== undefined) return [];
  const [type] = typesOf(schema);
  if (type === "string" && format === undefined)
    return awkwardTexts.filter(({ length }) => length >= minLength && length <= maxLength);
  if (type === "integer" || type === "number")
    return [minimum, maximum].filter((limit) => limit !== undefined);
  return [];
}

/** The host reads a number, and other plain values, from text where it can: only these are wrong for all. */
const wrongValue = (schema: JsonSchema): Json | undefined => {
  const types = typesOf(schema);
  if (types.length === 0 || types.includes("object")) return undefined;
  return { not: "this" };
};

/**
 * The arguments of a call that works, made odd in one place after the other: a required one is missing, one
 * is of a wrong type, one is as odd as its schema allows.
 */
export function unfitInputs({ parameters, required }: Operation, fit: JsonObject): readonly UnfitInput[] {
  const missing = required
    .filter((name) => parameters[name]?.default === undefined)
    .map((name) => ({
      what: `no ${name}`,
      value: Object.fromEntries(Object.entries(fit).filter(([key]) => key !== name)),
      allowed: false,
    }));
  const odd = Object.entries(parameters).flatMap(([name, schema]) => {
    const wrong = wrongValue(schema);
    return [
      ...(wrong === undefined
        ? []
        : [{ what: `an object as ${name}`, value: { ...fit, [name]: wrong }, allowed: false }]),
      ...awkwardValues(schema).map((value) => ({
        what: `${name} ${JSON.stringify(value).slice(0, 40)}`,
        value: { ...fit, [name]: value },
        allowed: true,
      })),
    ];
  });
  return [...missing, ...odd];
}
