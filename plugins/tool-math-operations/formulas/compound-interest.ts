import { money, plain } from "../plain.ts";
import { amount, defineFormula, positive, rate, withDefault } from "./formula.ts";

/** A = P·(1 + r / n)^(n·t), the definition of compound interest. */
export const compoundInterest = defineFormula({
  name: "compound_interest",
  parameters: { principal: amount, rate, years: amount, compounds_per_year: withDefault(positive, 12) },
  required: ["principal", "rate", "years"],
  run({ principal, rate: annual, years, compounds_per_year: times }) {
    const final = principal * (1 + annual / 100 / times) ** (times * years);
    return {
      result: `final amount ${money(final)}, interest ${money(final - principal)}`,
      steps: [
        `rate per period = ${plain(annual)} % / ${plain(times)} = ` +
          `${plain(annual / times)} %, periods = ${plain(times * years)}`,
        `amount = ${plain(principal)} × (1 + ` +
          `${plain(annual / 100 / times)})^${plain(times * years)} = ${money(final)}`,
        `interest = ${money(final)} − ${plain(principal)} = ${money(final - principal)}`,
      ],
    };
  },
});
