import path from "node:path";
import { pathToFileURL } from "node:url";
import type { ValidateFunction } from "ajv/dist/2020.js";
import { expect } from "chai";
import type { JsonSchema } from "@pergola/sdk";
import { chatCompletions } from "../../../plugins/endpoint-chat/chat-completions.ts";
import { schemasOf } from "../../../core/http/route-schemas.ts";
import { openEngine } from "../../../core/schema/engine.ts";
import { faultsOf } from "../../../core/schema/faults-of.ts";
import { readyCheck } from "../../../core/schema/ready-check.ts";
import { coreSettings } from "../../../core/settings/preferences.ts";
import { partsSchema } from "../../../core/settings/read-settings.ts";
import { root } from "../../architecture/tree.ts";
import { built } from "../../support/pergola.ts";

const folder = pathToFileURL(path.join(root, "core/dist/checks/"));

const values: readonly unknown[] = [
  ...[null, true, -1, 0.5, 1e9, "", "x", "127.0.0.1", "http://localhost:3000", "10.0.0.0/8"],
  ...[[], ["x", "x"], [1], [{}], {}, { model: 5, messages: [{}] }],
  ...[{ model: "m", messages: [{ role: "nobody", content: 5 }] }, { plugins: [{ use: "", as: 1 }, 5] }],
  { model: "m", messages: [{ role: "user", content: "Hello." }] },
];

describe("the checks that the build makes", () => {
  const schemas = { parts: partsSchema, body: schemasOf(chatCompletions).body!, ...coreSettings };
  const engine = openEngine();

  before(() => built());

  for (const [name, schema] of Object.entries(schemas))
    it(`say of ${name} what ajv says`, () => {
      const [ready, made] = [readyCheck(schema, folder), engine.compile<unknown>(schema)];
      const saidBy = (check: ValidateFunction | undefined, value: unknown) => {
        const isGood = check?.(structuredClone(value));
        return [isGood, faultsOf(check?.errors ?? [])];
      };
      for (const value of values) expect(saidBy(ready, value)).to.deep.equal(saidBy(made, value));
    });

  it("are found by what a schema says, not by who asks", () => {
    expect(readyCheck(structuredClone(partsSchema), folder)).not.to.equal(undefined);
    const other: JsonSchema = { ...partsSchema, description: "Another." };
    expect(readyCheck(other, folder)).to.equal(undefined);
  });
});
