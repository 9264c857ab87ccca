import { amount, defineFormula, invalidValue, money, sum, tooFewValues } from "./formula.ts";

/** One sum, or several under names of their own. */
const sums = { type: ["number", "object"] } as const;

const assetNames = [
  "home_value",
  "cash",
  "checking",
  "savings",
  "investments",
  "retirement_accounts",
  "car_value",
  "other_assets",
] as const;
const debtNames = ["mortgage", "car_loan", "student_loans", "credit_cards", "other_debts"] as const;

type Entry = readonly [name: string, value: number];

function entryOf(name: string, value: unknown): Entry {
  const isNumeric = typeof value === "number" || (typeof value === "string" && value.trim() !== "");
  if (isNumeric && !Number.isNaN(Number(value))) return [name, Number(value)];
  throw invalidValue(`${name} is not an amount.`, "Give each amount as a number.");
}

/** The entries behind a parameter: one sum, or several by name. */
function entriesOf(name: string, value: unknown): readonly Entry[] {
  if (value === undefined) return [];
  if (typeof value === "object" && value !== null)
    return Object.entries(value).map(([key, one]) => entryOf(key, one));
  return [entryOf(name, value)];
}

const total = (entries: readonly Entry[]): number => sum(entries.map(([, value]) => value));
const describe = (entries: readonly Entry[]): string =>
  entries.map(([name, value]) => `${name} ${money(value)}`).join(" + ") || "nothing";

/** Assets minus liabilities. */
export const netWorth = defineFormula({
  name: "net_worth",
  parameters: {
    assets: sums,
    liabilities: sums,
    ...Object.fromEntries([...assetNames, ...debtNames].map((name) => [name, amount])),
  },
  run(values) {
    const amounts = values as Readonly<Record<string, unknown>>;
    const side = (names: readonly string[]): readonly Entry[] =>
      names.flatMap((name) => entriesOf(name, amounts[name]));
    const [assets, debts] = [side(["assets", ...assetNames]), side(["liabilities", ...debtNames])];
    if (assets.length + debts.length === 0) {
      throw tooFewValues(
        "net_worth needs amounts.",
        'Give assets and liabilities, each a number or named amounts: {"house": 300000, "car": 9000}.',
      );
    }
    const [assetTotal, debtTotal] = [total(assets), total(debts)];
    const worth = money(assetTotal - debtTotal);
    return {
      result: `net worth ${worth}`,
      steps: [
        `assets = ${describe(assets)} = ${money(assetTotal)}`,
        `liabilities = ${describe(debts)} = ${money(debtTotal)}`,
        `net worth = ${money(assetTotal)} − ${money(debtTotal)} = ${worth}`,
      ],
    };
  },
});
