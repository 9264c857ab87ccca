import { defineFormula, format, invalidValue, list, positive } from "./formula.ts";

const leading = /^\s*(?:(\d+)\s+)?(\d+(?:\.\d+)?)(?:\s*\/\s*(\d+))?/;

/** `1 1/2 cups flour` becomes 1.5 and ` cups flour`. */
function parseAmount(amount: number | string): readonly [quantity: number, rest: string] {
  if (typeof amount === "number") return [amount, ""];
  const [whole, integer = "0", above = "", below = "1"] = leading.exec(amount) ?? [];
  if (whole === undefined || Number(below) === 0)
    throw invalidValue(`"${amount}" does not begin with an amount.`, "Write it like 1 1/2 cups.");
  return [Number(integer) + Number(above) / Number(below), amount.slice(whole.length)];
}

/** Every amount times target / original servings. An amount is a number, or text that begins with one. */
export const cooking = defineFormula({
  name: "cooking",
  aliases: ["recipe_scale"],
  parameters: {
    original_servings: positive,
    target_servings: positive,
    amounts: list({ type: ["number", "string"] }),
  },
  required: ["original_servings", "target_servings", "amounts"],
  run({ original_servings, target_servings, amounts }) {
    const factor = target_servings / original_servings;
    const scaled = amounts.map((amount) => {
      const [quantity, rest] = parseAmount(amount);
      return [format`${quantity}${rest}`, format`${quantity * factor}${rest}`] as const;
    });
    return {
      result: scaled.map(([, after]) => after).join(", "),
      steps: [
        format`factor = ${target_servings} / ${original_servings} = ${factor}`,
        ...scaled.map(([before, after]) => format`${before} × ${factor} = ${after}`),
      ],
    };
  },
});
