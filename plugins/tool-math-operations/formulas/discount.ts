import { amount, defineFormula, format, money } from "./formula.ts";

/** saved = price × percent / 100. */
export const discount = defineFormula({
  name: "discount",
  parameters: { original_price: amount, discount_percent: { ...amount, maximum: 100 } },
  required: ["original_price", "discount_percent"],
  run({ original_price, discount_percent }) {
    const saved = (original_price * discount_percent) / 100;
    const price = original_price - saved;
    return {
      result: `price ${money(price)}, saved ${money(saved)}`,
      steps: [
        format`saved = ${original_price} × ${discount_percent} / 100 = ${money(saved)}`,
        format`price = ${original_price} − ${money(saved)} = ${money(price)}`,
      ],
    };
  },
});
