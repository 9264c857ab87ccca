import { amount, defineFormula, format, money, withDefault } from "./formula.ts";

/**
 * What costs an amount today costs amount × (1 + rate)^years then; the amount itself buys amount / (1 +
 * rate)^years.
 */
export const inflation = defineFormula({
  name: "inflation",
  aliases: ["future_value"],
  parameters: {
    amount,
    years: withDefault(amount, 10),
    inflation_rate: withDefault({ type: "number", exclusiveMinimum: -100 }, 3),
  },
  required: ["amount"],
  run({ amount: today, years, inflation_rate }) {
    const factor = (1 + inflation_rate / 100) ** years;
    return {
      result:
        format`in ${years} years the same costs ${money(today * factor)}; ` +
        `${money(today)} then buys what ${money(today / factor)} buys today`,
      steps: [
        format`factor = (1 + ${inflation_rate} / 100)^${years} = ${factor}`,
        format`cost = ${today} × ${factor} = ${money(today * factor)}`,
        format`worth = ${today} / ${factor} = ${money(today / factor)}`,
      ],
    };
  },
});
