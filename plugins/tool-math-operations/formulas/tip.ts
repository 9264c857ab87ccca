import { amount, defineFormula, format, money, withDefault } from "./formula.ts";

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
    const result = `tip ${money(extra)}, total ${money(total)}`;
    const steps = [
      format`tip = ${bill} × ${tip_percent} / 100 = ${money(extra)}`,
      format`total = ${bill} + ${money(extra)} = ${money(total)}`,
    ];
    if (split === 1) return { result, steps };
    const share = money(total / split);
    return {
      result: `${result}, each of ${split} pays ${share}`,
      steps: [...steps, `each = ${money(total)} / ${split} = ${share}`],
    };
  },
});
