import { counted, money, plain } from "../plain.ts";
import { amount, defineFormula, impossible, positive, rate, withDefault } from "./formula.ts";
import { payOff } from "./pay-off.ts";

/** One debt paid month by month, interest first (`payOff`); with an extra payment also what that saves. */
export const debtPayoff = defineFormula({
  name: "debt_payoff",
  aliases: ["snowball", "avalanche"],
  parameters: { balance: positive, rate, monthly_payment: positive, extra_payment: withDefault(amount, 0) },
  required: ["balance", "rate", "monthly_payment"],
  run({ balance, rate: annual, monthly_payment, extra_payment }) {
    const first = (balance * annual) / 1200;
    const budget = monthly_payment + extra_payment;
    if (budget <= first) {
      throw impossible(
        `A payment of ${money(budget)} does not cover the first month's interest of ${money(first)}.`,
        "Pay more a month.",
      );
    }
    const debt = { name: "debt", balance, rate: annual, minimum_payment: 0 };
    const { months, interest } = payOff([debt], budget);
    const without =
      extra_payment > 0 && monthly_payment > first ? payOff([debt], monthly_payment) : undefined;
    return {
      result:
        `paid off in ${counted(months, "month")}, interest ` +
        `${money(interest)}, total paid ${money(balance + interest)}`,
      steps: [
        `first month's interest = ${plain(balance)} × ${plain(annual)} % / 12 = ${money(first)}`,
        `each month: balance + interest − ${money(budget)}, until ` +
          `nothing is left after ${counted(months, "month")}`,
        ...(without === undefined
          ? []
          : [
              "the extra payment saves " +
                `${counted(without.months - months, "month")} and ` +
                `${money(without.interest - interest)} of interest`,
            ]),
      ],
    };
  },
});
