/** Where a bracket begins, in dollars a year, and its rate in percent. */
type Bracket = readonly [from: number, rate: number];

export interface FilingStatus {
  readonly label: string;
  readonly standardDeduction: number;
  readonly brackets: readonly Bracket[];
}

const rates = [10, 12, 22, 24, 32, 35, 37] as const;
const brackets = (...from: readonly number[]): readonly Bracket[] =>
  rates.map((rate, at) => [from[at] ?? Infinity, rate]);

export const taxYear = 2026;

const single = {
  label: "single",
  standardDeduction: 16_100,
  brackets: brackets(0, 12_400, 50_400, 105_700, 201_775, 256_225, 640_600),
};
const joint = {
  label: "married filing jointly",
  standardDeduction: 32_200,
  brackets: brackets(0, 24_800, 100_800, 211_400, 403_550, 512_450, 768_700),
};
const separate = {
  label: "married filing separately",
  standardDeduction: 16_100,
  brackets: brackets(0, 12_400, 50_400, 105_700, 201_775, 256_225, 384_350),
};
const head = {
  label: "head of household",
  standardDeduction: 24_150,
  brackets: brackets(0, 17_700, 67_450, 105_700, 201_750, 256_200, 640_600),
};

/** Federal income tax of the USA for the tax year 2026: IRS Revenue Procedure 2025-32. */
export const filingStatuses: ReadonlyMap<string, FilingStatus> = new Map([
  ["single", single],
  ["married", joint],
  ["married_jointly", joint],
  ["married_filing_jointly", joint],
  ["married_separately", separate],
  ["married_filing_separately", separate],
  ["head_of_household", head],
]);

/** The tax on an income after deductions: each part of it at its bracket's rate. */
export const incomeTax = (taxable: number, { brackets: rows }: FilingStatus): number =>
  rows.reduce((tax, [from, rate], at) => {
    const until = rows[at + 1]?.[0] ?? Infinity;
    return tax + (Math.max(0, Math.min(taxable, until) - from) * rate) / 100;
  }, 0);

/** 6.2 % up to the contribution base of 2026 (Social Security Administration, October 2025). */
export const socialSecurity = (wages: number): number => Math.min(wages, 184_500) * 0.062;

/** 1.45 %, and as withheld by employers 0.9 % more above 200,000 (26 U.S.C. 3101(b), 3102(f)). */
export const medicare = (wages: number): number => wages * 0.0145 + Math.max(0, wages - 200_000) * 0.009;
