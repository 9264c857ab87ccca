import { ToolError, type Json, type JsonSchema } from "@pergola/sdk";
import { invalidValue, plain, type Formula, type Values } from "./formula.ts";

const longestList = 100;

interface Bound {
  readonly keyword: "minimum" | "maximum" | "exclusiveMinimum";
  readonly words: string;
  readonly isBroken: (value: number, limit: number) => boolean;
}

const bounds: readonly Bound[] = [
  { keyword: "minimum", words: "at least", isBroken: (value, limit) => value < limit },
  { keyword: "maximum", words: "at most", isBroken: (value, limit) => value > limit },
  { keyword: "exclusiveMinimum", words: "above", isBroken: (value, limit) => value <= limit },
];

/**
 * The faults of a value under the formula's own bounds, also inside a list or a record. Types were checked by
 * the host.
 */
function faultsOf(name: string, value: unknown, schema: JsonSchema): readonly string[] {
  if (Array.isArray(value) && value.length > longestList)
    return [`${name} may have at most ${longestList} entries`];
  if (Array.isArray(value))
    return value.flatMap((item, at) => faultsOf(`${name}[${at}]`, item, schema.items ?? {}));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, item]) =>
      faultsOf(`${name}.${key}`, item, schema.properties?.[key] ?? {}),
    );
  if (typeof value !== "number") return [];
  return bounds.flatMap(({ keyword, words, isBroken }) => {
    const limit = schema[keyword];
    if (typeof limit !== "number" || !isBroken(value, limit)) return [];
    return [`${name} must be ${words} ${limit}`];
  });
}

function valueText(value: unknown): string {
  if (typeof value === "number") return plain(value);
  if (typeof value === "string") return value;
  return JSON.stringify(value);
}

/** `bill, tip_percent = 20, split = 1`. */
function signature({ parameters, required }: Formula): string {
  const parts = Object.entries(parameters).map(([name, { default: standard }]) => {
    if (standard !== undefined) return `${name} = ${valueText(standard)}`;
    if (required.includes(name)) return name;
    return `${name} (optional)`;
  });
  return parts.join(", ");
}

/** The formula's own values, defaults filled in. Throws `missing_required` or `invalid_value`. */
function valuesFor(formula: Formula, args: Values): Values {
  const { name, parameters, required } = formula;
  const missing = required.find((key) => args[key] === undefined);
  if (missing !== undefined) {
    throw new ToolError("missing_required", `${name} needs ${missing}.`, {
      hint: `Parameters of ${name}: ${signature(formula)}.`,
    });
  }
  const entries = Object.entries(parameters)
    .map(([key, schema]) => [key, args[key] ?? (schema.default as Json | undefined), schema] as const)
    .filter(([, value]) => value !== undefined);
  const faults = entries.flatMap(([key, value, schema]) => faultsOf(key, value, schema));
  if (faults.length > 0) throw invalidValue(`${faults.slice(0, 5).join("; ")}.`);
  return Object.fromEntries(entries.map(([key, value]) => [key, value]));
}

/** A formula's answer: the inputs, the result and the steps, one to a line. */
export function applyFormula(formula: Formula, args: Values): string {
  const values = valuesFor(formula, args);
  const { result, steps } = formula.run(values as never);
  const inputs = Object.entries(values).map(([name, value]) => `${name} = ${valueText(value)}`);
  return [
    `Formula: ${formula.name}`,
    `Inputs: ${inputs.join(", ")}`,
    `Result: ${result}`,
    "Steps:",
    ...steps.map((step) => `- ${step}`),
  ].join("\n");
}
