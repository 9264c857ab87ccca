import { monthlyPayment } from "./annuity.ts";
import { defineFormula, duration, format, money, positive, rate } from "./formula.ts";

function paymentStep(principal: number, annualRate: number, payment: number): string {
  if (annualRate === 0) return format`payment = ${principal} / n = ${money(payment)}`;
  return format`payment = ${principal} × i / (1 − (1 + i)^−n) = ${money(payment)}`;
}

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
        format`monthly rate i = ${annual} % / 12 = ${annual / 12} %, n = ${duration(months)}`,
        paymentStep(principal, annual, payment),
        `total = payment × n = ${money(total)}`,
        format`interest = total − ${principal} = ${money(total - principal)}`,
      ],
    };
  },
});
