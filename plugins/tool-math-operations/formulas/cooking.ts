import { plain } from "../plain.ts";
import { defineFormula, impossible, list, positive } from "./formula.ts";

const leading = /^\s*(?:(\d+)\s+)?(\d+(?:\.\d+)?)(?:\s*\/\s*(\d+))?/;

/** `1 1/2 cups flour` becomes 1.5 and ` cups flour`. */
function parsed(amount: string): readonly [quantity: number, rest: string] {
  const [whole, integer = "0", above = "", below = "1"] = leading.exec(amount) ?? [];
  if (whole === undefined || Number(below) === 0)
    throw impossible(`"${amount}" does not begin with an amount.`, "Write it like 1 1/2 cups.");
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
      const [quantity, rest] = typeof amount === "number" ? [amount, ""] : parsed(amount);
      return [`${plain(quantity)}${rest}`, `${plain(quantity * factor)}${rest}`] as const;
    });
    return {
      result: scaled.map(([, after]) => after).join(", "),
      steps: [
        `factor = ${plain(target_servings)} / ${plain(original_servings)} = ${plain(factor)}`,
        ...scaled.map(([before, after]) => `${before} × ${plain(factor)} = ${after}`),
      ],
    };
  },
});
