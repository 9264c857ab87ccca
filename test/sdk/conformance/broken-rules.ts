import { expect } from "chai";
import { checkRule, type Rule } from "../../../sdk/testing/conformance/rule.ts";

/** What a rule says of a plugin that breaks it; fails when it says nothing, or does not name itself. */
export async function verdictOf<S, F>(rules: readonly Rule<S, F>[], name: string, stage: S): Promise<string> {
  const rule = rules.find((one) => one.name === name);
  if (rule === undefined) return expect.fail(`There is no rule "${name}".`);
  const failure = await checkRule(rule, stage).then(
    () => undefined,
    (error: unknown) => error as Error,
  );
  if (failure === undefined) return expect.fail(`A plugin that breaks the rule "${name}" has passed it.`);
  expect(failure.message).to.include(`The rule "${name}" is broken: `);
  return failure.message;
}

/** Every rule must have a plugin that breaks it. */
export const expectAllBroken = <S, F>(
  rules: readonly Rule<S, F>[],
  broken: Readonly<Record<string, unknown>>,
): void => void expect(Object.keys(broken)).to.have.members(rules.map(({ name }) => name));
