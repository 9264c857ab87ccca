import { defined, defineOperation, toolDisplay, type JsonSchema } from "@pergola/sdk";
import { allFormulas } from "../formulas/all-formulas.ts";
import { applyFormula } from "../formulas/apply-formula.ts";
import type { Values } from "../formulas/formula.ts";
import { invalidValue } from "../invalid-value.ts";
import { nameKey } from "../plain.ts";

const byName = new Map(
  allFormulas.flatMap((formula) =>
    [formula.name, ...formula.aliases].map((name) => [name, formula] as const),
  ),
);
const names = allFormulas.map(({ name }) => name).join(", ");
const signatures = allFormulas.map(({ name, parameters: own, required }) => {
  const labels = Object.keys(own).map((key) => (required.includes(key) ? key : `${key}?`));
  return `${name}(${labels.join(", ")})`;
});

/** A parameter's type alone: bounds and defaults differ from formula to formula. */
function typeOnly({ type, items, properties, required, minItems, aliases }: JsonSchema): JsonSchema {
  const inner =
    properties &&
    Object.fromEntries(Object.entries(properties).map(([key, schema]) => [key, typeOnly(schema)]));
  return defined({
    type,
    items: items && typeOnly(items),
    properties: inner,
    required,
    minItems,
    aliases,
  });
}

type Call = Values & { readonly formula: string };

const parameters = Object.fromEntries(
  allFormulas
    .flatMap((formula) => Object.entries(formula.parameters))
    .map(([name, schema]) => [name, typeOnly(schema)]),
);

export const formula = defineOperation({
  name: "formula",
  description: "Apply a formula, with its own parameters beside its name; rates in percent.",
  effect: "none",
  additional: true,
  parameters: { ...parameters, formula: { type: "string", description: signatures.join("; ") } },
  required: ["formula"],
  display: (args) => toolDisplay("Apply formula", (args as Call).formula, "function"),
  examples: [
    {
      say: "20% tip on a bill of 85 split by 3",
      arguments: { formula: "tip", bill: 85, tip_percent: 20, split: 3 },
    },
    {
      say: "mortgage payment for 300000 at 6.5 percent over 30 years",
      arguments: { formula: "mortgage", principal: 300000, rate: 6.5, years: 30 },
    },
    { say: "my bmi with 80 kg and 1.8 m", arguments: { formula: "bmi", weight_kg: 80, height_m: 1.8 } },
    {
      say: "25% discount on 60",
      arguments: { formula: "discount", original_price: 60, discount_percent: 25 },
    },
    { say: "area of a circle with radius 5", arguments: { formula: "area_circle", radius: 5 } },
    {
      say: "what is the monthly payment on a mortgage of 150000 at 3 percent over 25 years?",
      arguments: { formula: "mortgage", principal: 150000, rate: 3, years: 25 },
    },
    {
      say: "how much is 80 with a discount of 15%?",
      arguments: { formula: "discount", original_price: 80, discount_percent: 15 },
    },
    { say: "what is the tip on 40 at 15 percent?", arguments: { formula: "tip", bill: 40, tip_percent: 15 } },
  ],
  async run(args) {
    const { formula: name, ...values } = args as Call;
    const found = byName.get(nameKey(name));
    if (found === undefined) throw invalidValue(`There is no formula "${name}".`, `Formulas: ${names}.`);
    return { data: applyFormula(found, values), message: "Worked out." };
  },
});
