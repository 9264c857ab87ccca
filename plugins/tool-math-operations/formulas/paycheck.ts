import {
  amount,
  defineFormula,
  format,
  invalidValue,
  money,
  nameKey,
  positive,
  withDefault,
} from "./formula.ts";
import {
  filingStatuses,
  incomeTax,
  medicare,
  socialSecurity,
  taxYear,
  type FilingStatus,
} from "./us-taxes.ts";

const payments: ReadonlyMap<string, number> = new Map([
  ["weekly", 52],
  ["biweekly", 26],
  ["semimonthly", 24],
  ["monthly", 12],
  ["annually", 1],
]);

function entry<T>(name: string, value: string, table: ReadonlyMap<string, T>): T {
  const found = table.get(nameKey(value));
  if (found === undefined)
    throw invalidValue(`There is no ${name} "${value}".`, `Use one of ${[...table.keys()].join(", ")}.`);
  return found;
}

/**
 * What is taken from a year's salary. Deductions before tax lower the income taxes, not the payroll taxes, as
 * those of a pension plan do.
 */
function deductions(
  salary: number,
  before: number,
  stateRate: number,
  status: FilingStatus,
): readonly (readonly [string, number])[] {
  const taxable = Math.max(0, salary - before);
  return [
    [
      `federal income tax (${taxYear}, ${status.label})`,
      incomeTax(taxable - status.standardDeduction, status),
    ],
    [format`state income tax = ${money(taxable)} × ${stateRate} / 100`, (taxable * stateRate) / 100],
    ["Social Security", socialSecurity(salary)],
    ["Medicare", medicare(salary)],
  ];
}

/**
 * Take-home pay of an employee in the USA (`us-taxes.ts`; a flat state tax without deduction). Deductions are
 * amounts a year.
 */
export const paycheck = defineFormula({
  name: "paycheck",
  aliases: ["take_home", "salary"],
  parameters: {
    annual_salary: positive,
    pay_frequency: withDefault({ type: "string" }, "biweekly"),
    state_tax_rate: withDefault({ ...amount, maximum: 100 }, 5),
    pre_tax_deductions: withDefault(amount, 0),
    post_tax_deductions: withDefault(amount, 0),
    filing_status: withDefault({ type: "string" }, "single"),
  },
  required: ["annual_salary"],
  run({
    annual_salary,
    pay_frequency,
    state_tax_rate,
    pre_tax_deductions,
    post_tax_deductions,
    filing_status,
  }) {
    const count = entry("pay_frequency", pay_frequency, payments);
    const taxes = deductions(
      annual_salary,
      pre_tax_deductions,
      state_tax_rate,
      entry("filing_status", filing_status, filingStatuses),
    );
    const other = [
      ["deductions before tax", pre_tax_deductions],
      ["deductions after tax", post_tax_deductions],
    ] as const;
    const net = [...taxes, ...other].reduce((left, [, value]) => left - value, annual_salary);
    if (net < 0) throw invalidValue("The deductions are more than the salary leaves.");
    return {
      result: `take-home pay ${money(net / count)} ${nameKey(pay_frequency)}, ${money(net)} a year`,
      steps: [
        `gross pay = ${money(annual_salary)} / ${count} = ${money(annual_salary / count)}`,
        ...[...taxes, ...other]
          .filter(([, value]) => value > 0)
          .map(([label, value]) => `${label}: ${money(value)} a year`),
        `net pay = ${money(net)} / ${count} = ${money(net / count)}`,
      ],
    };
  },
});
