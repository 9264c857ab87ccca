import { money, plain } from "../plain.ts";
import { amount, defineFormula, positive } from "./formula.ts";

const shares = { needs: 50, wants: 30, savings: 20 } as const;

/**
 * The 50/30/20 rule (E. Warren and A. W. Tyagi, All Your Worth, 2005): shares of the income after tax, beside
 * what is really spent.
 */
export const budget = defineFormula({
  name: "budget",
  aliases: ["fifty_thirty_twenty"],
  parameters: { monthly_income: positive, needs: amount, wants: amount, savings: amount },
  required: ["monthly_income"],
  run({ monthly_income, ...spent }) {
    const rows = (["needs", "wants", "savings"] as const).map((name) => {
      const target = (monthly_income * shares[name]) / 100;
      return { name, target, actual: spent[name] };
    });
    const known = rows.flatMap(({ actual }) => actual ?? []);
    const left = monthly_income - known.reduce((sum, value) => sum + value, 0);
    return {
      result: rows.map(({ name, target }) => `${name} ${money(target)}`).join(", "),
      steps: [
        ...rows.map(
          ({ name, target }) =>
            `${name} = ${plain(monthly_income)} × ${shares[name]} / 100 = ${money(target)}`,
        ),
        ...rows.flatMap(({ name, target, actual }) =>
          actual === undefined
            ? []
            : [
                `${name} now: ${money(actual)}, ${compared(actual - target)} ` +
                  `(${plain((actual / monthly_income) * 100)} %)`,
              ],
        ),
        ...(known.length < 3 ? [] : [`not planned: ${money(left)}`]),
      ],
    };
  },
});

function compared(difference: number): string {
  if (difference === 0) return "as the rule says";
  return `${money(Math.abs(difference))} ${difference > 0 ? "above" : "below"} the rule`;
}
