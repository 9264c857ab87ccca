import { amount, defineFormula, format, money, positive } from "./formula.ts";

/** price = cost × (1 + markup); the margin is the profit's share of the price. */
export const markup = defineFormula({
  name: "markup",
  parameters: { cost: positive, markup_percent: amount },
  required: ["cost", "markup_percent"],
  run({ cost, markup_percent }) {
    const profit = (cost * markup_percent) / 100;
    const price = cost + profit;
    return {
      result: format`price ${money(price)}, profit ${money(profit)}, margin ${(profit / price) * 100} %`,
      steps: [
        format`profit = ${cost} × ${markup_percent} / 100 = ${money(profit)}`,
        format`price = ${cost} + ${money(profit)} = ${money(price)}`,
        format`margin = ${money(profit)} / ${money(price)} = ${(profit / price) * 100} %`,
      ],
    };
  },
});
