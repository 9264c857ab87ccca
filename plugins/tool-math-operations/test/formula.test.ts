import { expect } from "chai";
import { allFormulas } from "../formulas/all-formulas.ts";
import { formula } from "../operations/formula.ts";
import { dataOf, failure } from "./failure.ts";

const debts = [
  { name: "card", balance: 5000, rate: 20, minimum_payment: 100 },
  { name: "car", balance: 3000, rate: 6, minimum_payment: 80 },
];

/**
 * The figures were worked out apart from the code: loans and savings month by month in 50-digit decimals,
 * taxes from the tables by hand.
 */
const cases: readonly (readonly [args: Readonly<Record<string, unknown>>, ...parts: string[]])[] = [
  [{ formula: "tip", bill: 85 }, "tip 17.00, total 102.00"],
  [{ formula: "tip", bill: 85, tip_percent: 15, split: 4 }, "tip 12.75, total 97.75, each of 4 pays 24.44"],
  [
    { formula: "mortgage", principal: 300_000, rate: 6.5, years: 30 },
    "payment 1896.20",
    "total paid 682633.47",
    "interest 382633.47",
  ],
  [{ formula: "loan_payment", principal: 12_000, rate: 0, years: 2 }, "payment 500.00", "interest 0.00"],
  [{ formula: "bmi", weight_lbs: 154, height_inches: 70 }, "BMI 22.1, normal weight"],
  [{ formula: "bmi", weight_kg: 80, height_m: 1.8 }, "BMI 24.7, normal weight"],
  [{ formula: "bmi", weight_kg: 50, height_m: 1.8 }, "BMI 15.4, underweight"],
  [{ formula: "bmi", weight_kg: 90, height_m: 1.8 }, "BMI 27.8, overweight"],
  [{ formula: "bmi", weight_kg: 110, height_m: 1.8 }, "BMI 34.0, obese"],
  [
    { formula: "compound_interest", principal: 1000, rate: 5, years: 10 },
    "final amount 1647.01, interest 647.01",
  ],
  [
    { formula: "compound_interest", principal: 1000, rate: 10, years: 2, compounds_per_year: 1 },
    "final amount 1210.00",
  ],
  [{ formula: "percentage", value: 250, percentage: 12 }, "12 % of 250 = 30"],
  [{ formula: "markup", cost: 40, markup_percent: 25 }, "price 50.00, profit 10.00, margin 20 %"],
  [{ formula: "discount", original_price: 60, discount_percent: 25 }, "price 45.00, saved 15.00"],
  [{ formula: "area_circle", radius: 5 }, "area 78.53981634, circumference 31.41592654"],
  [{ formula: "area_rectangle", length: 4, width: 2.5 }, "area 10, perimeter 13"],
  [{ formula: "volume_cylinder", radius: 2, height: 10 }, "volume 125.6637061, surface 150.7964474"],
  [{ formula: "speed_distance_time", distance: 150, time: 2 }, "Result: speed 75"],
  [{ formula: "speed_distance_time", speed: 60, time: 2.5 }, "Result: distance 150"],
  [{ formula: "speed_distance_time", speed: 60, distance: 150 }, "Result: time 2.5"],
  [{ formula: "sales_tax", price: 19.99, tax_rate: 8.25, quantity: 3 }, "tax 4.95, total 64.92"],
  [{ formula: "gpa", scores: [95, 82, 71], weights: [3, 4, 2] }, "average 83.88888889 %, letter B, GPA 3.11"],
  [{ formula: "grade", scores: [18, 12], total: 20 }, "average 75 %, letter C, GPA 2.50"],
  [{ formula: "fuel_cost", distance: 300, mpg: 25, price_per_gallon: 3.5 }, "cost 42.00, fuel 12 gal"],
  [{ formula: "gas_cost", distance: 500, kpl: 15, price_per_liter: 1.6 }, "cost 53.33, fuel 33.33333333 l"],
  [{ formula: "trip_cost", distance: 100, mpg: 20, price_per_liter: 1 }, "cost 18.93, fuel 5 gal"],
  [
    {
      formula: "cooking",
      original_servings: 4,
      target_servings: 6,
      amounts: ["1 1/2 cups flour", 200, "1/2 tsp salt"],
    },
    "Result: 2.25 cups flour, 300, 0.75 tsp salt",
  ],
  [{ formula: "recipe_scale", original_servings: 2, target_servings: 1, amounts: [3] }, "Result: 1.5"],
  [
    {
      formula: "cooking",
      original_servings: 2,
      target_servings: 4,
      amounts: { flour: 2, milk: "1/2 cup", eggs: "3" },
    },
    "Result: 4 flour, 1 cup milk, 6 eggs",
  ],
  [
    { formula: "retirement", current_age: 30, retire_age: 65, current_savings: 10_000 },
    "savings at 65: 1015588.82, income 40623.55 a year",
  ],
  [
    { formula: "debt_payoff", balance: 5000, rate: 18, monthly_payment: 200, extra_payment: 50 },
    "24 months, interest 989.13, total paid 5989.13",
    "saves 8 months and 324.83",
  ],
  [{ formula: "snowball", balance: 5000, rate: 0, monthly_payment: 200 }, "25 months, interest 0.00"],
  [
    { formula: "debt_strategy", debts, monthly_budget: 400, lump_sum: 500 },
    "avalanche saves 474.37",
    "avalanche, highest rate first: 22 months, interest 900.05; card in month 17, car in month 22",
    "snowball, smallest balance first: 23 months, interest 1374.42; car in month 9, card in month 23",
  ],
  [{ formula: "budget", monthly_income: 4000 }, "needs 2000.00, wants 1200.00, savings 800.00"],
  [
    { formula: "fifty_thirty_twenty", monthly_income: 4000, needs: 2200, wants: 1000, savings: 700 },
    "200.00 above",
    "not planned: 100.00",
  ],
  [
    { formula: "loan_comparison", principal: 200_000, rates: [6, 7], terms: [15, 30] },
    "least interest: 6 % for 15 years (103788.46); lowest payment: 7 % for 30 years (1330.60 a month)",
    "6 % for 15 years: 1687.71 a month",
  ],
  [
    { formula: "loan_comparison", principal: 200_000, rates: [6], terms: [15, 30] },
    "6 % for 15 years",
    "6 % for 30 years: 1199.10 a month",
  ],
  [
    { formula: "savings_goal", goal: 20_000, monthly_contribution: 300 },
    "reached in 59 months",
    "there are 20018.41",
  ],
  [{ formula: "savings_goal", goal: 20_000, months: 48 }, "Result: 377.25 a month"],
  [
    { formula: "savings_goal", goal: 20_000, months: 48, monthly_contribution: 500 },
    "6507.44 above the goal",
  ],
  [
    { formula: "savings_goal", goal: 1000, monthly_contribution: 100, annual_return: 0 },
    "reached in 10 months",
  ],
  [
    {
      formula: "net_worth",
      assets: { shares: 5000, gold: "600" },
      liabilities: 50,
      home_value: 300_000,
      mortgage: 200_000,
    },
    "Result: net worth 105550.00",
    "assets = shares 5000.00 + gold 600.00 + home_value 300000.00",
  ],
  [
    { formula: "paycheck", annual_salary: 75_000 },
    "2224.71 biweekly, 57842.50 a year",
    "(2026, single): 7670.00",
  ],
  [
    { formula: "salary", annual_salary: 300_000 },
    "7699.11 biweekly",
    "68134.25",
    "Social Security: 11439.00",
    "Medicare: 5250.00",
  ],
  [
    {
      formula: "take_home",
      annual_salary: 120_000,
      pay_frequency: "Monthly",
      state_tax_rate: 4,
      pre_tax_deductions: 10_000,
      post_tax_deductions: 1200,
      filing_status: "married filing jointly",
    },
    "7198.33 monthly",
    "jointly): 8840.00",
  ],
  [
    { formula: "inflation", amount: 1000 },
    "in 10 years the same costs 1343.92; 1000.00 then buys what 744.09 buys today",
  ],
  [{ formula: "Future Value", amount: 100, years: 2, inflation_rate: 10 }, "the same costs 121.00"],
];

const impossible: readonly (readonly [args: Readonly<Record<string, unknown>>, code: string])[] = [
  [{ formula: "tip", bill: -1 }, "invalid_value"],
  [{ formula: "tip", bill: 10, split: 0 }, "invalid_value"],
  [{ formula: "mortgage", principal: 1000, rate: 5, years: 0 }, "invalid_value"],
  [{ formula: "mortgage", principal: 1000, rate: 5 }, "missing_required"],
  [{ formula: "bmi", weight_kg: 80 }, "insufficient_params"],
  [{ formula: "bmi", weight_kg: 80, height_m: 0 }, "invalid_value"],
  [{ formula: "compound_interest", principal: 1000, rate: 5, years: 1e9 }, "invalid_value"],
  [
    { formula: "compound_interest", principal: 1000, rate: 5, years: 1, compounds_per_year: 0 },
    "invalid_value",
  ],
  [{ formula: "discount", original_price: 60, discount_percent: 120 }, "invalid_value"],
  [{ formula: "speed_distance_time", speed: 5 }, "insufficient_params"],
  [{ formula: "speed_distance_time", speed: 0, distance: 5 }, "invalid_value"],
  [{ formula: "speed_distance_time", distance: 5, time: 0 }, "invalid_value"],
  [{ formula: "gpa", scores: [1, 2], weights: [1] }, "invalid_value"],
  [{ formula: "gpa", scores: [1], weights: [0] }, "invalid_value"],
  [{ formula: "gpa", scores: Array.from({ length: 101 }, () => 1) }, "invalid_value"],
  [{ formula: "fuel_cost", distance: 5, price_per_gallon: 3 }, "insufficient_params"],
  [{ formula: "fuel_cost", distance: 5, mpg: 30 }, "insufficient_params"],
  [{ formula: "fuel_cost", distance: 5, mpg: 0, price_per_gallon: 3 }, "invalid_value"],
  [{ formula: "cooking", original_servings: 1, target_servings: 2, amounts: { a: [1] } }, "invalid_value"],
  [{ formula: "cooking", original_servings: 1, target_servings: 2, amounts: [] }, "invalid_value"],
  [{ formula: "cooking", original_servings: 0, target_servings: 2, amounts: [1] }, "invalid_value"],
  [{ formula: "cooking", original_servings: 1, target_servings: 2, amounts: ["some salt"] }, "invalid_value"],
  [{ formula: "cooking", original_servings: 1, target_servings: 2, amounts: ["1/0 cup"] }, "invalid_value"],
  [{ formula: "retirement", current_age: 65, retire_age: 60, current_savings: 0 }, "invalid_value"],
  [{ formula: "debt_payoff", balance: 5000, rate: 18, monthly_payment: 75 }, "invalid_value"],
  [{ formula: "debt_payoff", balance: 1e9, rate: 0, monthly_payment: 1 }, "invalid_value"],
  [{ formula: "debt_strategy", debts, monthly_budget: 100 }, "invalid_value"],
  [{ formula: "debt_strategy", debts: [{ ...debts[0], balance: -5 }], monthly_budget: 500 }, "invalid_value"],
  [
    { formula: "debt_strategy", debts: [{ ...debts[0], minimum_payment: 10 }], monthly_budget: 50 },
    "invalid_value",
  ],
  [{ formula: "savings_goal", goal: 1000 }, "insufficient_params"],
  [{ formula: "savings_goal", goal: 1000, monthly_contribution: 0 }, "invalid_value"],
  [{ formula: "net_worth" }, "insufficient_params"],
  [{ formula: "net_worth", assets: { house: "big" } }, "invalid_value"],
  [{ formula: "paycheck", annual_salary: 50_000, pay_frequency: "yearly-ish" }, "invalid_value"],
  [{ formula: "paycheck", annual_salary: 50_000, filing_status: "constructor" }, "invalid_value"],
  [{ formula: "paycheck", annual_salary: 1000, post_tax_deductions: 5000 }, "invalid_value"],
  [{ formula: "inflation", amount: 1, inflation_rate: -100 }, "invalid_value"],
  [{ formula: "alchemy", amount: 1 }, "invalid_value"],
];

describe("math_operations.formula", () => {
  it("T24: says plainly which amount of a recipe is none", async () => {
    const recipe = { formula: "cooking", original_servings: 1, target_servings: 2 };
    const { message, hint } = await failure(formula, { ...recipe, amounts: { flour: { cups: 2 } } });
    expect(message).to.equal("The amount of flour is neither a number nor a text.");
    expect(hint).to.contain('{"flour": 200}');
  });

  for (const [args, ...parts] of cases) {
    it(`works out ${JSON.stringify(args)}`, async () => {
      const text = await dataOf(formula, args);
      for (const part of parts) expect(text).to.contain(part);
    });
  }

  for (const [args, code] of impossible) {
    it(`answers ${code} to ${JSON.stringify(args).slice(0, 100)}, with a hint`, async () => {
      const error = await failure(formula, args);
      expect([error.code, error.hint === ""]).to.deep.equal([code, false]);
    });
  }

  it("shows the inputs with their defaults, the result and the steps", async () => {
    expect(await dataOf(formula, { formula: "sales_tax", price: 10, tax_rate: 5 })).to.equal(
      [
        "Formula: sales_tax",
        "Inputs: price = 10, tax_rate = 5, quantity = 1",
        "Result: tax 0.50, total 10.50",
        "Steps:",
        "- subtotal = 10 × 1 = 10.00",
        "- tax = 10.00 × 5 / 100 = 0.50",
        "- total = 10.00 + 0.50 = 10.50",
      ].join("\n"),
    );
  });

  it("names a formula's parameters when one is missing", async () => {
    const { message, hint } = await failure(formula, { formula: "tip" });
    expect([message, hint]).to.deep.equal([
      "tip needs bill.",
      "Parameters of tip: bill, tip_percent = 20, split = 1.",
    ]);
  });

  it("lists the formulas when there is none of that name", async () => {
    const { hint } = await failure(formula, { formula: "alchemy" });
    for (const { name } of allFormulas) expect(hint).to.contain(name);
  });

  it("has a case here for every formula", () => {
    const tried = new Set(cases.map(([args]) => args["formula"]));
    const others = new Set(
      allFormulas.filter(({ name, aliases }) => ![name, ...aliases].some((one) => tried.has(one))),
    );
    expect([...others].map(({ name }) => name)).to.deep.equal([]);
  });

  it("knows the other names", async () => {
    const payoff = { balance: 5000, rate: 0, monthly_payment: 200 };
    expect(await dataOf(formula, { formula: "avalanche", ...payoff })).to.contain("Formula: debt_payoff");
    for (const name of ["multi_debt", "debt_plan"])
      expect(await dataOf(formula, { formula: name, debts, monthly_budget: 400 })).to.contain(
        "Formula: debt_strategy",
      );
  });

  it("lets no two formulas take parameters of one name in two types", () => {
    const types = new Map<string, Set<string>>();
    for (const { parameters } of allFormulas) {
      for (const [name, { type }] of Object.entries(parameters))
        types.set(name, (types.get(name) ?? new Set()).add(String(type)));
    }
    expect([...types].filter(([, all]) => all.size > 1)).to.deep.equal([]);
  });
});
