import type { AsyncFunc, Func } from "mocha";
import type { regressions, requirements } from "../wire/requirements.ts";

export type RequirementId = keyof typeof requirements | (typeof regressions)[number];

/** A test that proves a promise of the interface, or a regression case, by its id. */
export function verifies(id: RequirementId | readonly RequirementId[], title: string, test: Func | AsyncFunc): void {
  it(`${title} [${[id].flat().join(", ")}]`, test);
}
