import { amount, defineFormula, format, money, positive, rate, withDefault } from "./formula.ts";

/** A = P·(1 + r / n)^(n·t), the definition of compound interest. */
export const compoundInterest = defineFormula({
  name: "compound_interest",
  parameters: {
    principal: amount,
    rate,
    years: amount,
    compounds_per_year: withDefault(positive, 12),
  },
  required: ["principal", "rate", "years"],
  run({ principal, rate: annual, years, compounds_per_year: times }) {
    const periods = times * years;
    const final = principal * (1 + annual / 100 / times) ** periods;
    return {
      result: `final amount ${money(final)}, interest ${money(final - principal)}`,
      steps: [
        format`rate per period = ${annual} % / ${times} = ${annual / times} %, periods = ${periods}`,
        format`amount = ${principal} × (1 + ${annual / 100 / times})^${periods} = ${money(final)}`,
        format`interest = ${money(final)} − ${principal} = ${money(final - principal)}`,
      ],
    };
  },
});
