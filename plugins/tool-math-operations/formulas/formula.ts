import { ToolError, type FromProperties, type Json, type Properties } from "@pergola/sdk";

/** What a formula found: the result in one line, and how it came about. */
export interface Outcome {
  readonly result: string;
  readonly steps: readonly string[];
}

/** A formula as the operation sees it: the values are checked, but their types are forgotten. */
export interface Formula {
  readonly name: string;
  readonly aliases: readonly string[];
  /** With the formula's own defaults and bounds. */
  readonly parameters: Properties;
  readonly required: readonly string[];
  readonly run: (values: never) => Outcome;
}

interface Definition<P extends Properties, R extends readonly (keyof P & string)[]> {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly parameters: P;
  readonly required?: R;
  /** Throws ToolError `invalid_value` or `insufficient_params` for what cannot be. */
  run(values: FromProperties<P, R[number]>): Outcome;
}

export const defineFormula = <const P extends Properties, const R extends readonly (keyof P & string)[] = []>(
  definition: Definition<P, R>,
): Formula => ({
  ...definition,
  aliases: definition.aliases ?? [],
  required: definition.required ?? [],
});

export type Values = Readonly<Record<string, Json | undefined>>;

/** Any number; from 0 on; above 0. */
export const number = { type: "number" } as const;
export const amount = { type: "number", minimum: 0 } as const;
export const positive = { type: "number", exclusiveMinimum: 0 } as const;
/** In percent a year, from 0 on. */
export const rate = amount;

export const withDefault = <const S extends object, const D>(schema: S, standard: D) =>
  ({ ...schema, default: standard }) as const;
export const list = <const S extends object>(items: S) =>
  ({
    type: "array",
    items,
    minItems: 1,
  }) as const;

/* What all formulas are written with, so that each imports from here alone. */
export { invalidValue } from "../invalid-value.ts";
export * from "../plain.ts";

export const tooFewValues = (message: string, hint: string): ToolError =>
  new ToolError("insufficient_params", message, { hint });
