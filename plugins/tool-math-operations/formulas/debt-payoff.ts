import {
  amount,
  defineFormula,
  duration,
  format,
  invalidValue,
  money,
  positive,
  rate,
  withDefault,
} from "./formula.ts";
import { payOff } from "./pay-off.ts";

/** One debt paid month by month, interest first (`payOff`); with an extra payment also what that saves. */
export const debtPayoff = defineFormula({
  name: "debt_payoff",
  aliases: ["snowball", "avalanche"],
  parameters: {
    balance: positive,
    rate,
    monthly_payment: positive,
    extra_payment: withDefault(amount, 0),
  },
  required: ["balance", "rate", "monthly_payment"],
  run({ balance, rate: annual, monthly_payment, extra_payment }) {
    const first = (balance * annual) / 1200;
    const budget = monthly_payment + extra_payment;
    if (budget <= first) {
      throw invalidValue(
        `A payment of ${money(budget)} does not cover the first month's interest of ${money(first)}.`,
        "Pay more a month.",
      );
    }
    const debt = {
      name: "debt",
      balance,
      rate: annual,
      minimum_payment: 0,
    };
    const { months, interest } = payOff([debt], budget);
    const steps = [
      format`first month's interest = ${balance} × ${annual} % / 12 = ${money(first)}`,
      `each month: balance + interest − ${money(budget)}, until ` +
        `nothing is left after ${duration(months)}`,
    ];
    if (extra_payment > 0 && monthly_payment > first) {
      const without = payOff([debt], monthly_payment);
      const savedTime = duration(without.months - months);
      steps.push(
        `the extra payment saves ${savedTime} and ${money(without.interest - interest)} of interest`,
      );
    }
    return {
      result:
        `paid off in ${duration(months)}, interest ` +
        `${money(interest)}, total paid ${money(balance + interest)}`,
      steps,
    };
  },
});
