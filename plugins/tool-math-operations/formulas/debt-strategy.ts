import {
  amount,
  defineFormula,
  duration,
  invalidValue,
  list,
  money,
  positive,
  rate,
  sum,
  withDefault,
} from "./formula.ts";
import { payOff, type Debt, type Plan } from "./pay-off.ts";

const debt = {
  type: "object",
  properties: {
    name: { type: "string" },
    balance: amount,
    rate,
    minimum_payment: amount,
  },
  required: ["name", "balance", "rate", "minimum_payment"],
} as const;

const describePlan = (strategy: string, { months, interest, paid }: Plan): string =>
  `${strategy}: ${duration(months)}, interest ${money(interest)}; ` +
  `${paid.map(({ name, month }) => `${name} in month ${month}`).join(", ")}`;

function compareInterest(avalanche: Plan, snowball: Plan): string {
  const saved = snowball.interest - avalanche.interest;
  if (saved < 0.005) return "both cost the same";
  return `avalanche saves ${money(saved)} of interest`;
}

/**
 * The two usual orders beside each other: avalanche pays the highest rate first, snowball the smallest
 * balance.
 */
export const debtStrategy = defineFormula({
  name: "debt_strategy",
  aliases: ["multi_debt", "debt_plan"],
  parameters: {
    debts: list(debt),
    monthly_budget: positive,
    lump_sum: withDefault(amount, 0),
  },
  required: ["debts", "monthly_budget"],
  run({ debts, monthly_budget, lump_sum }) {
    const least = sum(debts.map(({ minimum_payment }) => minimum_payment));
    if (monthly_budget < least) {
      throw invalidValue(
        `The minimum payments come to ${money(least)} a month.`,
        `Give a monthly_budget of at least ${money(least)}.`,
      );
    }
    const planFor = (order: (a: Debt, b: Debt) => number): Plan =>
      payOff(debts.toSorted(order), monthly_budget, lump_sum);
    const avalanche = planFor((a, b) => b.rate - a.rate || a.balance - b.balance);
    const snowball = planFor((a, b) => a.balance - b.balance || b.rate - a.rate);
    const verdict = compareInterest(avalanche, snowball);
    return {
      result:
        `${verdict}; debt-free after ${duration(avalanche.months)} ` +
        `(avalanche) or ${duration(snowball.months)} (snowball)`,
      steps: [
        "each month: interest on every debt, minimum payments, then " +
          "the rest of the budget to the first debt in order",
        describePlan("avalanche, highest rate first", avalanche),
        describePlan("snowball, smallest balance first", snowball),
      ],
    };
  },
});
