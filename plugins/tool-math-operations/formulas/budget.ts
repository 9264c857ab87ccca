import { amount, defineFormula, format, money, positive, sum } from "./formula.ts";

const shares = {
  needs: 50,
  wants: 30,
  savings: 20,
} as const;
const names = ["needs", "wants", "savings"] as const;

function compareWithRule(difference: number): string {
  if (difference === 0) return "as the rule says";
  if (difference > 0) return `${money(difference)} above the rule`;
  return `${money(-difference)} below the rule`;
}

/**
 * The 50/30/20 rule (E. Warren and A. W. Tyagi, All Your Worth, 2005): shares of the income after tax, and
 * what is really spent.
 */
export const budget = defineFormula({
  name: "budget",
  aliases: ["fifty_thirty_twenty"],
  parameters: {
    monthly_income: positive,
    needs: amount,
    wants: amount,
    savings: amount,
  },
  required: ["monthly_income"],
  run({ monthly_income: income, ...spent }) {
    const target = (name: keyof typeof shares): number => (income * shares[name]) / 100;
    const steps = names.map(
      (name) => format`${name} = ${income} × ${shares[name]} / 100 = ${money(target(name))}`,
    );
    for (const name of names) {
      const actual = spent[name];
      if (actual === undefined) continue;
      const comparison = compareWithRule(actual - target(name));
      steps.push(format`${name} now: ${money(actual)}, ${comparison} (${(actual / income) * 100} %)`);
    }
    const actuals = names.flatMap((name) => spent[name] ?? []);
    if (actuals.length === names.length) steps.push(`not planned: ${money(income - sum(actuals))}`);
    return { result: names.map((name) => `${name} ${money(target(name))}`).join(", "), steps };
  },
});
