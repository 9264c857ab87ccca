import { counted, money } from "../plain.ts";
import { amount, defineFormula, impossible, list, positive, rate, withDefault } from "./formula.ts";
import { payOff, type Debt, type Plan } from "./pay-off.ts";

const debt = {
  type: "object",
  properties: { name: { type: "string" }, balance: amount, rate, minimum_payment: amount },
  required: ["name", "balance", "rate", "minimum_payment"],
} as const;

const told = (strategy: string, { months, interest, paid }: Plan): string =>
  `${strategy}: ${counted(months, "month")}, interest ${money(interest)}; ` +
  `${paid.map(({ name, month }) => `${name} in month ${month}`).join(", ")}`;

/**
 * The two usual orders beside each other: avalanche pays the highest rate first, snowball the smallest
 * balance.
 */
export const debtStrategy = defineFormula({
  name: "debt_strategy",
  aliases: ["multi_debt", "debt_plan"],
  parameters: { debts: list(debt), monthly_budget: positive, lump_sum: withDefault(amount, 0) },
  required: ["debts", "monthly_budget"],
  run({ debts, monthly_budget, lump_sum }) {
    const least = debts.reduce((sum, { minimum_payment }) => sum + minimum_payment, 0);
    if (monthly_budget < least) {
      throw impossible(
        `The minimum payments come to ${money(least)} a month.`,
        `Give a monthly_budget of at least ${money(least)}.`,
      );
    }
    const planned = (order: (a: Debt, b: Debt) => number): Plan =>
      payOff(debts.toSorted(order), monthly_budget, lump_sum);
    const avalanche = planned((a, b) => b.rate - a.rate || a.balance - b.balance);
    const snowball = planned((a, b) => a.balance - b.balance || b.rate - a.rate);
    const saved = snowball.interest - avalanche.interest;
    const verdict = saved >= 0.005 ? `avalanche saves ${money(saved)} of interest` : "both cost the same";
    return {
      result:
        `${verdict}; debt-free after ${counted(avalanche.months, "month")} ` +
        `(avalanche) or ${counted(snowball.months, "month")} (snowball)`,
      steps: [
        "each month: interest on every debt, minimum payments, then " +
          "the rest of the budget to the first debt in order",
        told("avalanche, highest rate first", avalanche),
        told("snowball, smallest balance first", snowball),
      ],
    };
  },
});
