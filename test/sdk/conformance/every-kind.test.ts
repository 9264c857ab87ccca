import { readdirSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import {
  describeBridge,
  describeBundle,
  describeEndpoint,
  describeFeature,
  describePolicy,
  describeProvider,
  describeService,
  describeStorage,
  describeTool,
} from "@pergola/sdk/testing";
import { thinkTool } from "../../../plugins/tool-think/index.ts";
import { endpointRules } from "../../../sdk/testing/conformance/endpoint-rules.ts";
import { hostedRules } from "../../../sdk/testing/conformance/hosted-rules.ts";
import { toolRules } from "../../../sdk/testing/conformance/tool-rules.ts";
import { providerFaultRules } from "../../../sdk/testing/provider-suite-faults.ts";
import { storageFaultRules } from "../../../sdk/testing/storage/faults.ts";
import { processFaultRules } from "../../../sdk/testing/storage/process-faults.ts";
import { read, root } from "../../architecture/tree.ts";

const faults = ["abort", "slow", "crash", "huge output", "restart in the call", "undeclared access"];

const rules = [
  ...toolRules,
  ...hostedRules,
  ...endpointRules,
  ...providerFaultRules,
  ...storageFaultRules,
  ...processFaultRules,
];

const plugin = { id: "pergola-tried", plugin: "pergola-tried" };
const routes = { ...plugin, routes: [], requests: [], endless: { route: "GET /api/wait" } };
const unopened = (): never => expect.fail("A kit opens nothing before its tests run.");

/** The kit of each kind, with all that its rules need. */
const kits: Readonly<Record<string, () => void>> = {
  tool: () => describeTool({ ...plugin, tool: thinkTool, endless: { operation: "wait", arguments: {} } }),
  policy: () => describePolicy(plugin),
  endpoint: () => describeEndpoint(routes),
  feature: () => describeFeature(routes),
  bridge: () => describeBridge(plugin),
  service: () => describeService(plugin),
  bundle: () => describeBundle(plugin),
  provider: () => describeProvider("tried", unopened),
  storage: () => describeStorage("tried", unopened, { lasting: () => unopened, plugin: { folder: "tried" } }),
};

/** The names of the rules that a kit would make tests of. */
function rulesOf(makeTests: () => void): readonly string[] {
  const titles: string[] = [];
  const unlimited = { timeout: () => undefined };
  const kept = { describe, it, before, after, beforeEach, afterEach };
  const ignore = (): void => undefined;
  Object.assign(globalThis, {
    describe: (_: string, body: () => void) => body.call(unlimited),
    it: (title: string) => {
      titles.push(title);
      return unlimited;
    },
    ...Object.fromEntries(["before", "after", "beforeEach", "afterEach"].map((name) => [name, ignore])),
  });
  try {
    makeTests();
  } finally {
    Object.assign(globalThis, kept);
  }
  return titles.flatMap((title) => /^([a-z ]+): /.exec(title)?.[1] ?? []);
}

describe("the conformance kits", () => {
  it("are there for every kind of plugin", () =>
    expect(Object.keys(kits)).to.have.members(
      readdirSync(path.join(root, "core/templates")).filter((name) => name !== "common"),
    ));

  for (const [kind, makeTests] of Object.entries(kits))
    it(`of a ${kind} try it under each fault`, () => expect(rulesOf(makeTests)).to.include.members(faults));

  it("have each rule in the documentation", () => {
    const page = read("docs/conformance-kits.md");
    for (const { name } of rules) expect(page).to.include(`\n| \`${name}\` |`);
  });
});
