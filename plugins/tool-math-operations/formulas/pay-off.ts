import { invalidValue } from "./formula.ts";

export interface Debt {
  readonly name: string;
  readonly balance: number;
  /** Percent a year. */
  readonly rate: number;
  readonly minimum_payment: number;
}

export interface Plan {
  readonly months: number;
  readonly interest: number;
  /** The debts in the order in which they are paid off. */
  readonly paid: readonly { readonly name: string; readonly month: number }[];
}

interface Open {
  readonly debt: Debt;
  balance: number;
  month: number;
}

const longest = 1200;
const isOpen = ({ balance }: Open): boolean => balance > 1e-9;

/** Gives each debt up to its part of the money; returns what is left. */
function pay(debts: readonly Open[], money: number, part: (debt: Open) => number): number {
  let left = money;
  for (const debt of debts) {
    const payment = Math.min(debt.balance, part(debt), left);
    debt.balance -= payment;
    left -= payment;
  }
  return left;
}

/**
 * Pays debts month by month: interest of rate / 12 on each, then the minimum payments, then all that is left
 * of the budget to the debts in the given order. A lump sum goes to the first ones at the start. Throws
 * `invalid_value` when it would take more than 100 years.
 */
export function payOff(ordered: readonly Debt[], budget: number, lumpSum = 0): Plan {
  const debts: readonly Open[] = ordered.map((debt) => ({
    debt,
    balance: debt.balance,
    month: 0,
  }));
  pay(debts, lumpSum, () => Infinity);
  let [months, interest] = [0, 0];
  while (debts.some(isOpen)) {
    if (months === longest)
      throw invalidValue("At this payment the debt would last for more than 100 years.", "Pay more a month.");
    months += 1;
    for (const open of debts) {
      const added = (open.balance * open.debt.rate) / 1200;
      open.balance += added;
      interest += added;
      if (isOpen(open)) open.month = months;
    }
    pay(debts, pay(debts, budget, ({ debt }) => debt.minimum_payment), () => Infinity); // prettier-ignore
  }
  const paid = debts
    .toSorted((a, b) => a.month - b.month)
    .map(({ debt, month }) => ({ name: debt.name, month }));
  return { months, interest, paid };
}
