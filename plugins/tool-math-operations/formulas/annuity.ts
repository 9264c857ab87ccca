const monthly = (annualRate: number): number => annualRate / 1200;

/**
 * The equal payment at each month's end that repays a loan: P·i / (1 − (1 + i)^−n), with i = rate / 12; P / n
 * without interest.
 */
export function monthlyPayment(principal: number, annualRate: number, months: number): number {
  const i = monthly(annualRate);
  return i === 0 ? principal / months : (principal * i) / -Math.expm1(-months * Math.log1p(i));
}

/** What savings and a deposit at each month's end grow to: PV·(1 + i)^n + C·((1 + i)^n − 1) / i. */
export function futureValue(present: number, deposit: number, annualRate: number, months: number): number {
  const i = monthly(annualRate);
  const growth = Math.expm1(months * Math.log1p(i));
  return present * (1 + growth) + deposit * (i === 0 ? months : growth / i);
}

/** The deposit at each month's end by which savings reach a goal; the inverse of `futureValue`. */
export const neededDeposit = (goal: number, present: number, annualRate: number, months: number): number =>
  (goal - futureValue(present, 0, annualRate, months)) / futureValue(0, 1, annualRate, months);

/**
 * The months until savings reach a goal: ln((G·i + C) / (PV·i + C)) / ln(1 + i), rounded up; Infinity when
 * they never do.
 */
export function monthsToReach(goal: number, present: number, deposit: number, annualRate: number): number {
  const i = monthly(annualRate);
  if (present >= goal) return 0;
  if (i === 0) return deposit === 0 ? Infinity : Math.ceil((goal - present) / deposit - 1e-9);
  return Math.ceil(Math.log((goal * i + deposit) / (present * i + deposit)) / Math.log1p(i) - 1e-9);
}
