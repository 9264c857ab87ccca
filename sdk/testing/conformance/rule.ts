import { messageOf } from "@pergola/sdk";

/** One thing that a plugin of a kind must do, under a fault or without one. */
export interface Rule<Stage, Facts = Stage> {
  /** A word or two: failures begin with it, and the docs list it. */
  readonly name: string;
  /** The title of its test. */
  readonly title: string;
  /** Whether what is known before the host starts has what the rule needs. Default: always. */
  readonly applies?: (facts: Facts) => boolean;
  /** Rejects when the plugin breaks the rule. */
  readonly check: (stage: Stage) => Promise<void>;
}

/** Checks one rule. What it rejects with names the rule. */
export async function checkRule<Stage>(
  { name, check }: Pick<Rule<Stage>, "name" | "check">,
  stage: Stage,
): Promise<void> {
  try {
    await check(stage);
  } catch (cause) {
    throw new Error(`The rule "${name}" is broken: ${messageOf(cause)}`, { cause });
  }
}

/** One mocha test for each rule that applies. */
export function describeRules<Facts, Stage extends Facts>(
  rules: readonly Rule<Stage, Facts>[],
  facts: Facts,
  stage: () => Stage,
): void {
  for (const rule of rules)
    if (rule.applies?.(facts) ?? true) it(`${rule.name}: ${rule.title}`, () => checkRule(rule, stage()));
}

/** Fails a rule, unless something holds. */
export function demand(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Error(message);
}

/** Rejects when a promise takes longer than so many milliseconds. */
export async function within<T>(limit: number, promise: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${limit} ms.`)), limit);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
