import { defineFormula, format, invalidValue, positive } from "./formula.ts";

const leading = /^\s*(?:(\d+)\s+)?(\d+(?:\.\d+)?)(?:\s*\/\s*(\d+))?/;

/** `1 1/2 cups flour` becomes 1.5 and ` cups flour`. */
function parseAmount(amount: number | string): readonly [quantity: number, rest: string] {
  if (typeof amount === "number") return [amount, ""];
  const [whole, integer = "0", above = "", below = "1"] = leading.exec(amount) ?? [];
  if (whole === undefined || Number(below) === 0)
    throw invalidValue(`"${amount}" does not begin with an amount.`, "Write it like 1 1/2 cups.");
  return [Number(integer) + Number(above) / Number(below), amount.slice(whole.length)];
}

type Named = readonly [name: string | undefined, amount: unknown];

/** Amounts in a list, or by the names of what they are of. */
function amountsIn(amounts: unknown): readonly Named[] {
  if (Array.isArray(amounts)) return amounts.map((amount: unknown) => [undefined, amount]);
  return Object.entries(amounts as object);
}

function scaled([name, amount]: Named, factor: number): readonly [before: string, after: string] {
  if (typeof amount !== "number" && typeof amount !== "string")
    throw invalidValue(
      `The amount ${name === undefined ? "" : `of ${name} `}is neither a number nor a text.`,
      'Give a list such as [200, "1 1/2 cups flour"], or amounts by name: {"flour": 200}.',
    );
  const [quantity, rest] = parseAmount(amount);
  const label = name === undefined ? "" : ` ${name}`;
  return [format`${quantity}${rest}${label}`, format`${quantity * factor}${rest}${label}`];
}

/**
 * Every amount times target / original servings. An amount is a number, or text that begins with one; amounts
 * may have names.
 */
export const cooking = defineFormula({
  name: "cooking",
  aliases: ["recipe_scale"],
  parameters: {
    original_servings: positive,
    target_servings: positive,
    amounts: { type: ["array", "object"] },
  },
  required: ["original_servings", "target_servings", "amounts"],
  run({ original_servings, target_servings, amounts }) {
    const factor = target_servings / original_servings;
    const named = amountsIn(amounts);
    if (named.length === 0) throw invalidValue("There are no amounts.", "Give one at least.");
    const both = named.map((one) => scaled(one, factor));
    return {
      result: both.map(([, after]) => after).join(", "),
      steps: [
        format`factor = ${target_servings} / ${original_servings} = ${factor}`,
        ...both.map(([before, after]) => format`${before} × ${factor} = ${after}`),
      ],
    };
  },
});
