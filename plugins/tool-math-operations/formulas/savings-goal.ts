import { counted, money, plain } from "../plain.ts";
import { futureValue, monthsToReach, neededDeposit } from "./annuity.ts";
import {
  amount,
  defineFormula,
  impossible,
  positive,
  rate,
  tooLittle,
  withDefault,
  type Outcome,
} from "./formula.ts";

interface Saving {
  readonly goal: number;
  readonly current_savings: number;
  readonly annual_return: number;
}

function howLong({ goal, current_savings, annual_return }: Saving, deposit: number): Outcome {
  const months = monthsToReach(goal, current_savings, deposit, annual_return);
  if (months === Infinity)
    throw impossible("The goal is never reached this way.", "Give a monthly_contribution above 0.");
  const final = futureValue(current_savings, deposit, annual_return, months);
  return {
    result: `reached in ${counted(months, "month")} (${plain(months / 12)} years)`,
    steps: [`after ${counted(months, "month")} of ${money(deposit)} there are ${money(final)}`],
  };
}

function howMuch({ goal, current_savings, annual_return }: Saving, months: number): Outcome {
  const deposit = Math.max(0, neededDeposit(goal, current_savings, annual_return, months));
  return {
    result: `${money(deposit)} a month`,
    steps: [
      "savings alone grow to " +
        `${money(futureValue(current_savings, 0, annual_return, months))} in ${counted(months, "month")}`,
      `each 1 a month grows to ${plain(futureValue(0, 1, annual_return, months))}`,
      `what is missing, divided by that = ${money(deposit)}`,
    ],
  };
}

function whether({ goal, current_savings, annual_return }: Saving, deposit: number, months: number): Outcome {
  const final = futureValue(current_savings, deposit, annual_return, months);
  const verdict =
    final >= goal ? `reached, ${money(final - goal)} above the goal` : `missed by ${money(goal - final)}`;
  return {
    result: `${verdict}; ${money(final)} after ${counted(months, "month")}`,
    steps: howMuch({ goal, current_savings, annual_return }, months).steps,
  };
}

/**
 * Deposits at each month's end, monthly compounding (`futureValue`). Of deposit and months one may be
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
  run({ monthly_contribution: deposit, months, ...saving }) {
    const rateStep =
      `monthly rate = ${plain(saving.annual_return)} % / 12 = ${plain(saving.annual_return / 12)} ` + "%";
    const answered = (outcome: Outcome): Outcome => ({ ...outcome, steps: [rateStep, ...outcome.steps] });
    if (deposit !== undefined && months !== undefined) return answered(whether(saving, deposit, months));
    if (deposit !== undefined) return answered(howLong(saving, deposit));
    if (months !== undefined) return answered(howMuch(saving, months));
    throw tooLittle(
      "savings_goal needs a deposit or a time.",
      "Give monthly_contribution, or months, or both.",
    );
  },
});
