import { depositGrowth, savingsGrowth } from "./annuity.ts";
import {
  amount,
  defineFormula,
  duration,
  format,
  invalidValue,
  money,
  rate,
  withDefault,
} from "./formula.ts";

const age = {
  type: "number",
  minimum: 0,
  maximum: 150,
} as const;

/**
 * Savings and monthly deposits with monthly compounding (`annuity.ts`); the income is the withdrawal rate's
 * share of what they come to.
 */
export const retirement = defineFormula({
  name: "retirement",
  parameters: {
    current_age: age,
    retire_age: age,
    current_savings: amount,
    monthly_contribution: withDefault(amount, 500),
    annual_return: withDefault(rate, 7),
    withdrawal_rate: withDefault({ ...amount, maximum: 100 }, 4),
  },
  required: ["current_age", "retire_age", "current_savings"],
  run({ current_age, retire_age, current_savings, monthly_contribution, annual_return, withdrawal_rate }) {
    if (retire_age <= current_age) throw invalidValue("retire_age must be above current_age.");
    const months = Math.round((retire_age - current_age) * 12);
    const fromSavings = savingsGrowth(current_savings, annual_return, months);
    const fromDeposits = monthly_contribution * depositGrowth(annual_return, months);
    const final = fromSavings + fromDeposits;
    const income = (final * withdrawal_rate) / 100;
    return {
      result:
        format`savings at ${retire_age}: ${money(final)}, income ` +
        `${money(income)} a year, ${money(income / 12)} a month`,
      steps: [
        format`${duration(months)}, monthly rate ${annual_return} % / 12 = ${annual_return / 12} %`,
        `savings of ${money(current_savings)} grow to ${money(fromSavings)}`,
        `${money(monthly_contribution)} a month ` +
          `(${money(monthly_contribution * months)} in all) grow to ${money(fromDeposits)}`,
        format`income = ${money(final)} × ${withdrawal_rate} / 100 = ${money(income)} a year`,
      ],
    };
  },
});
