import { chats } from "./requirements/chats.ts";
import { http } from "./requirements/http.ts";
import { installation } from "./requirements/installation.ts";
import { records } from "./requirements/records.ts";
import { runs } from "./requirements/runs.ts";

export { regressions, type RegressionId } from "./requirements/regressions.ts";

/**
 * What the service promises to the outside, one line each. Every id is proved by at least one test made with
 * `verifies(id, …)`; test/wire/coverage.test.ts fails on an id without a proof, and on a proof of an unknown
 * id.
 */
export const requirements = {
  ...http,
  ...chats,
  ...runs,
  ...records,
  ...installation,
} as const satisfies Readonly<Record<string, string>>;
