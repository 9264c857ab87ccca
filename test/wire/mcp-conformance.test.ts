import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { root } from "../architecture/tree.ts";
import type { Stage } from "../support/host.ts";
import { openLab } from "../support/lab-stage.ts";
import { mcpPlugins as plugins } from "../support/mcp-stage.ts";

const runner = path.join(root, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
const loader = path.join(root, "test/support/conformance-on-node20.mjs");

/** Of both eras: the tools and how they are called, in streams and with the door's checks. */
const both: readonly string[] = [
  "tools-list",
  "tools-call-simple-text",
  "tools-call-error",
  "tools-call-with-progress",
  "server-sse-multiple-streams",
  "dns-rebinding-protection",
];
const scenarios: Readonly<Record<string, readonly string[]>> = {
  "2025-11-25": [...both, "server-initialize", "ping", "tools-call-elicitation"],
  "2026-07-28": [
    ...both,
    "http-header-validation",
    "input-required-result-request-state",
    "input-required-result-result-type",
    "input-required-result-missing-input-response",
    "input-required-result-tampered-state",
    "input-required-result-unsupported-methods",
    "input-required-result-validate-input",
  ],
};

/** What these scenarios cannot look at: no tool of ours asks its client for a model. */
const untestable: Readonly<Record<string, readonly string[]>> = {
  "server-stateless": [
    "sep-2575-missing-capability-http-400",
    "sep-2575-server-rejects-undeclared-capability",
  ],
};

describe("by the conformance suite of the protocol", () => {
  let stage: Stage;
  before(async () => {
    stage = await openLab([], { plugins, settings: { mcp: { approval_seconds: 0 } } });
  });
  after(() => stage.end());

  async function run(revision: string, scenario: string): Promise<string> {
    const words = [process.execPath, "--import", loader, runner, "server", "--url", `${stage.host.url}/mcp`];
    const which = ["--spec-version", revision, "--scenario", scenario];
    // Not as a child of this process, which the host in it would refuse.
    const child = spawn("sh", ["-c", '"$@" &', "sh", ...words, ...which], { cwd: temporaryFolder() });
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (piece: Buffer) => (said += piece.toString()));
    await once(child, "close");
    return said;
  }

  for (const [revision, names] of Object.entries(scenarios))
    for (const scenario of names)
      it(`${revision} passes ${scenario}`, async () => {
        expect(await run(revision, scenario)).to.match(/Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/);
      }).timeout(30_000);

  it("2026-07-28 passes server-stateless, but for what it says that it cannot test", async () => {
    const said = await run("2026-07-28", "server-stateless");
    const failed = [...said.matchAll(/\[(sep-[\w-]+) *\] \S*FAILURE/g)].map(([, id]) => id);
    expect(failed.toSorted(), said).to.deep.equal(untestable["server-stateless"]);
    expect(said.match(/Error: Not testable/g)).to.have.lengthOf(failed.length);
  }).timeout(60_000);
});
