import { depositGrowth, monthsToReach, savingsGrowth } from "./annuity.ts";
import {
  amount,
  defineFormula,
  duration,
  format,
  invalidValue,
  money,
  positive,
  rate,
  tooFewValues,
  withDefault,
  type Outcome,
} from "./formula.ts";

interface Saving {
  readonly goal: number;
  readonly current_savings: number;
  readonly annual_return: number;
}

const totalAfter = (months: number, deposit: number, { current_savings, annual_return }: Saving): number =>
  savingsGrowth(current_savings, annual_return, months) + deposit * depositGrowth(annual_return, months);

function findMonths(saving: Saving, deposit: number): Outcome {
  const months = monthsToReach(saving.goal, saving.current_savings, deposit, saving.annual_return);
  if (months === Infinity)
    throw invalidValue("The goal is never reached this way.", "Give a monthly_contribution above 0.");
  const total = totalAfter(months, deposit, saving);
  return {
    result: format`reached in ${duration(months)} (${months / 12} years)`,
    steps: [`after ${duration(months)} of ${money(deposit)} there are ${money(total)}`],
  };
}

function findDeposit(saving: Saving, months: number): Outcome {
  const withoutDeposits = totalAfter(months, 0, saving);
  const growth = depositGrowth(saving.annual_return, months);
  const deposit = Math.max(0, (saving.goal - withoutDeposits) / growth);
  return {
    result: `${money(deposit)} a month`,
    steps: [
      `savings alone grow to ${money(withoutDeposits)} in ${duration(months)}`,
      format`each 1 a month grows to ${growth}`,
      `what is missing, divided by that = ${money(deposit)}`,
    ],
  };
}

function compareWithGoal(total: number, goal: number): string {
  if (total < goal) return `missed by ${money(goal - total)}`;
  return `reached, ${money(total - goal)} above the goal`;
}

function checkGoal(saving: Saving, deposit: number, months: number): Outcome {
  const total = totalAfter(months, deposit, saving);
  return {
    result: `${compareWithGoal(total, saving.goal)}; ${money(total)} after ${duration(months)}`,
    steps: findDeposit(saving, months).steps,
  };
}

function solve(saving: Saving, deposit: number | undefined, months: number | undefined): Outcome {
  if (deposit !== undefined && months !== undefined) return checkGoal(saving, deposit, months);
  if (deposit !== undefined) return findMonths(saving, deposit);
  if (months !== undefined) return findDeposit(saving, months);
  throw tooFewValues(
    "savings_goal needs a deposit or a time.",
    "Give monthly_contribution, or months, or both.",
  );
}

/**
 * Deposits at each month's end, monthly compounding (`annuity.ts`). Of deposit and months one may be
 * missing: it is what is asked for.
 */
export const savingsGoal = defineFormula({
  name: "savings_goal",
  parameters: {
    goal: positive,
    current_savings: withDefault(amount, 0),
    monthly_contribution: amount,
    annual_return: withDefault(rate, 5),
    months: positive,
  },
  required: ["goal"],
  run({ monthly_contribution, months, ...saving }) {
    const { result, steps } = solve(saving, monthly_contribution, months);
    const { annual_return: annual } = saving;
    return { result, steps: [format`monthly rate = ${annual} % / 12 = ${annual / 12} %`, ...steps] };
  },
});
