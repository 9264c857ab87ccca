import { money } from "../plain.ts";
import { amount, defineFormula, impossible, tooLittle } from "./formula.ts";

/** One sum, or several under names of their own. */
const sums = { type: ["number", "object"] } as const;

const owned = [
  "home_value",
  "cash",
  "checking",
  "savings",
  "investments",
  "retirement_accounts",
  "car_value",
  "other_assets",
] as const;
const owed = ["mortgage", "car_loan", "student_loans", "credit_cards", "other_debts"] as const;

type Entry = readonly [name: string, value: number];

const valueOf = (name: string, value: unknown): Entry => {
  const number =
    typeof value === "number" || (typeof value === "string" && value.trim() !== "") ? Number(value) : NaN;
  if (Number.isNaN(number)) throw impossible(`${name} is not an amount.`, "Give each amount as a number.");
  return [name, number];
};

/** The entries behind a parameter: one sum, or several by name. */
function entriesOf(name: string, value: unknown): readonly Entry[] {
  if (value === undefined) return [];
  if (typeof value === "object" && value !== null)
    return Object.entries(value).map(([key, one]) => valueOf(key, one));
  return [valueOf(name, value)];
}

const sum = (entries: readonly Entry[]): number => entries.reduce((total, [, value]) => total + value, 0);
const listed = (entries: readonly Entry[]): string =>
  entries.map(([name, value]) => `${name} ${money(value)}`).join(" + ") || "nothing";

/** Assets minus liabilities. */
export const netWorth = defineFormula({
  name: "net_worth",
  parameters: {
    assets: sums,
    liabilities: sums,
    ...Object.fromEntries([...owned, ...owed].map((name) => [name, amount])),
  },
  run(values) {
    const given = values as Readonly<Record<string, unknown>>;
    const side = (names: readonly string[]): readonly Entry[] =>
      names.flatMap((name) => entriesOf(name, given[name]));
    const [assets, debts] = [side(["assets", ...owned]), side(["liabilities", ...owed])];
    if (assets.length + debts.length === 0) {
      throw tooLittle(
        "net_worth needs amounts.",
        'Give assets and liabilities, each a number or named amounts: {"house": 300000, "car": 9000}.',
      );
    }
    const worth = sum(assets) - sum(debts);
    return {
      result: `net worth ${money(worth)}`,
      steps: [
        `assets = ${listed(assets)} = ${money(sum(assets))}`,
        `liabilities = ${listed(debts)} = ${money(sum(debts))}`,
        `net worth = ${money(sum(assets))} − ${money(sum(debts))} = ${money(worth)}`,
      ],
    };
  },
});
