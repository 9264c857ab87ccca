import { rules, type Risk } from "./rules.ts";

const highestFirst: readonly Risk[] = ["high", "medium", "low"];

/** How risky a command looks, and why: the highest risk of all rules that its text meets. */
export function assess(command: string) {
  const met = rules.filter(({ pattern }) => pattern.test(command));
  const risk = highestFirst.find((each) => met.some((rule) => rule.risk === each)) ?? "low";
  return { risk, reasons: met.map(({ reason }) => reason) };
}
