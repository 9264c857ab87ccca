import { defineOperation, toolDisplay } from "@pergola/sdk";

export const calculate = defineOperation({
  name: "calculate",
  description: "Work out an expression such as sqrt(2)*3^2, 5! or 15% of 80. Angles in radians.",
  effect: "none",
  parameters: {
    expression: {
      type: "string",
      minLength: 1,
      maxLength: 1000,
    },
  },
  required: ["expression"],
  display: ({ expression }) => toolDisplay("Calculate", expression, "function"),
  examples: [
    { say: "what is 12 * (3 + 4)?", arguments: { expression: "12 * (3 + 4)" } },
    { say: "calculate 15% of 80", arguments: { expression: "15% of 80" } },
    { say: "what is sqrt(144)?", arguments: { expression: "sqrt(144)" } },
    { say: "compute 2^64", arguments: { expression: "2^64" } },
    { say: "how much is 1250 / 7", arguments: { expression: "1250 / 7" } },
    { say: "17 + 25 - 3.5", arguments: { expression: "17 + 25 - 3.5" } },
  ],
  async run({ expression }) {
    const { evaluate } = await import("../calculate/evaluate.ts");
    return { data: `${expression.trim()} = ${evaluate(expression)}`, message: "Calculated." };
  },
});
