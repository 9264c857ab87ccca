import { createRequire } from "node:module";
import { expect } from "chai";
import { cruise, type ICruiseResult, type IForbiddenRuleType } from "dependency-cruiser";
import { root } from "./tree.ts";

const { forbidden, options } = createRequire(import.meta.url)("../../.dependency-cruiser.cjs") as {
  readonly forbidden: IForbiddenRuleType[];
  readonly options: object;
};

describe("imports", () => {
  it("follow the rules of the architecture", async function () {
    this.timeout(60_000);
    const { output } = await cruise(["core", "sdk", "plugins", "examples"], {
      ...options,
      baseDir: root,
      ruleSet: { forbidden },
      validate: true,
    });
    const broken = (output as ICruiseResult).summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
    expect(broken).to.deep.equal([]);
  });
});
