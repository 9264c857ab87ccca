import { monthlyPayment } from "./annuity.ts";
import { defineFormula, format, list, money, positive, rate } from "./formula.ts";

/** Rates and terms of the same number belong together; otherwise every rate is combined with every term. */
function pairs(
  rates: readonly number[],
  terms: readonly number[],
): readonly (readonly [rate: number, years: number])[] {
  if (rates.length === terms.length) return rates.map((one, at) => [one, terms[at] ?? 0]);
  return rates.flatMap((one) => terms.map((years) => [one, years] as const));
}

/** Level monthly payments (`monthlyPayment`) of the same loan under several rates and terms in years. */
export const loanComparison = defineFormula({
  name: "loan_comparison",
  parameters: {
    principal: positive,
    rates: list(rate),
    terms: list(positive),
  },
  required: ["principal", "rates", "terms"],
  run({ principal, rates, terms }) {
    const loans = pairs(rates, terms).map(([annual, years]) => {
      const payment = monthlyPayment(principal, annual, years * 12);
      return {
        label: format`${annual} % for ${years} years`,
        payment,
        interest: payment * years * 12 - principal,
      };
    });
    const least = (key: "payment" | "interest") =>
      loans.reduce((best, loan) => (loan[key] < best[key] ? loan : best));
    const [lowest, cheapest] = [least("payment"), least("interest")];
    return {
      result:
        `least interest: ${cheapest.label} (${money(cheapest.interest)}); lowest ` +
        `payment: ${lowest.label} (${money(lowest.payment)} a month)`,
      steps: loans.map(
        ({ label, payment, interest }) =>
          `${label}: ${money(payment)} a month, interest ` +
          `${money(interest)}, total ${money(principal + interest)}`,
      ),
    };
  },
});
