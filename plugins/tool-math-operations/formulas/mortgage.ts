import { counted, money, plain } from "../plain.ts";
import { monthlyPayment } from "./annuity.ts";
import { defineFormula, positive, rate } from "./formula.ts";

/** Level monthly payments of a loan with a fixed rate (ordinary annuity, see `monthlyPayment`). */
export const mortgage = defineFormula({
  name: "mortgage",
  aliases: ["loan_payment"],
  parameters: { principal: positive, rate, years: positive },
  required: ["principal", "rate", "years"],
  run({ principal, rate: annual, years }) {
    const months = years * 12;
    const payment = monthlyPayment(principal, annual, months);
    const total = payment * months;
    return {
      result:
        `monthly payment ${money(payment)}, total paid ` +
        `${money(total)}, interest ${money(total - principal)}`,
      steps: [
        `monthly rate i = ${plain(annual)} % / 12 = ${plain(annual / 12)} %, n = ${counted(months, "month")}`,
        annual === 0
          ? `payment = ${plain(principal)} / n = ${money(payment)}`
          : `payment = ${plain(principal)} × i / (1 − (1 + i)^−n) = ${money(payment)}`,
        `total = payment × n = ${money(total)}`,
        `interest = total − ${plain(principal)} = ${money(total - principal)}`,
      ],
    };
  },
});
