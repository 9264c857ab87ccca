import type { AsyncFunc, Func } from "mocha";
import type { RegressionId, requirements } from "../wire/requirements.ts";

export type RequirementId = keyof typeof requirements | RegressionId;

/** A test that proves a promise of the interface, or a regression case, by its id. */
export function verifies(
  id: RequirementId | readonly RequirementId[],
  title: string,
  test: Func | AsyncFunc,
): Mocha.Test {
  return it(`${title} [${[id].flat().join(", ")}]`, test);
}
