import { money, plain } from "../plain.ts";
import { amount, defineFormula, withDefault } from "./formula.ts";

/** tip = bill × percent / 100; everybody pays the same share. */
export const tip = defineFormula({
  name: "tip",
  parameters: {
    bill: amount,
    tip_percent: withDefault(amount, 20),
    split: withDefault({ type: "integer", minimum: 1 }, 1),
  },
  required: ["bill"],
  run({ bill, tip_percent, split }) {
    const extra = (bill * tip_percent) / 100;
    const total = bill + extra;
    const shared = split === 1 ? "" : `, each of ${split} pays ${money(total / split)}`;
    return {
      result: `tip ${money(extra)}, total ${money(total)}${shared}`,
      steps: [
        `tip = ${plain(bill)} × ${plain(tip_percent)} / 100 = ${money(extra)}`,
        `total = ${plain(bill)} + ${money(extra)} = ${money(total)}`,
        ...(split === 1 ? [] : [`each = ${money(total)} / ${split} = ${money(total / split)}`]),
      ],
    };
  },
});
