import { rules, type Risk } from "./rules.ts";

const order: Readonly<Record<Risk, number>> = { low: 0, medium: 1, high: 2 };

/** How risky a command looks, and why: the highest risk of all rules that its text meets. */
export function assess(command: string): { readonly risk: Risk; readonly reasons: readonly string[] } {
  const met = rules.filter(({ pattern }) => pattern.test(command));
  const risk = met.reduce<Risk>(
    (highest, rule) => (order[rule.risk] > order[highest] ? rule.risk : highest),
    "low",
  );
  return { risk, reasons: met.map(({ reason }) => reason) };
}
