const monthly = (annualRate: number): number => annualRate / 1200;

/** What 1 a month, paid at each month's end, grows to: ((1 + i)^n − 1) / i; n without interest. */
export function depositGrowth(annualRate: number, months: number): number {
  const i = monthly(annualRate);
  if (i === 0) return months;
  return Math.expm1(months * Math.log1p(i)) / i;
}

/**
 * The equal payment at each month's end that repays a loan: P·i / (1 − (1 + i)^−n), with i = rate / 12; P / n
 * without interest.
 */
export function monthlyPayment(principal: number, annualRate: number, months: number): number {
  const i = monthly(annualRate);
  if (i === 0) return principal / months;
  return (principal * i) / -Math.expm1(-months * Math.log1p(i));
}

/** What savings without deposits grow to: PV·(1 + i)^n. */
export const savingsGrowth = (present: number, annualRate: number, months: number): number =>
  present * (1 + Math.expm1(months * Math.log1p(monthly(annualRate))));

/**
 * The months until savings reach a goal: ln((G·i + C) / (PV·i + C)) / ln(1 + i), rounded up; Infinity when
 * they never do.
 */
export function monthsToReach(goal: number, present: number, deposit: number, annualRate: number): number {
  const i = monthly(annualRate);
  if (present >= goal) return 0;
  if (i === 0) return Math.ceil((goal - present) / deposit - 1e-9);
  const ratio = (goal * i + deposit) / (present * i + deposit);
  return Math.ceil(Math.log(ratio) / Math.log1p(i) - 1e-9);
}
