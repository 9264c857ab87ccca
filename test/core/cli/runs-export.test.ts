import { execFile } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { replayRun, type MockReply, type ScriptedCall, type TestHost } from "@pergola/sdk/testing";
import { expect } from "chai";
import { root } from "../../architecture/tree.ts";
import { approvePlugins } from "../../support/approve-plugins.ts";
import { ask, type Stage } from "../../support/host.ts";
import { answer, approvals, calling, play, runOf, saying } from "../../support/lab-stage.ts";
import { freePort, openProject, type Project } from "../../support/pergola.ts";
import { writePlugin } from "../../support/plugins/write-plugin.ts";

interface Ended {
  readonly stdout: string;
  readonly stderr: string;
}

const key = "sk-abcdef0123456789abcdef";
const calculation = (expression: string): ScriptedCall => ({
  name: "math_operations",
  arguments: { operation: "calculate", expression },
});
const sample = (operation: string, more: object = {}): ScriptedCall => ({
  name: "sample",
  arguments: { operation, ...more },
});

/** Two operations, and a hook that says more under each result of one of them, as often as it sees it. */
const sampleCode = (more: string): string => `
const parameters = {
  where: { type: "string" },
  api_key: { type: "string" },
  times: { type: "integer", default: 1 },
};
const operation = (name, effect) => ({
  name, description: name, effect, required: [], parameters,
  run: async () => ({ data: { name, token: "${key}" }, message: "Done." }),
});
const operations = [operation("look", "read"), operation("wipe", "destructive")];
export default {
  tools: [{ name: "sample", description: "A sample", operations }],
  register(host) {
    host.tap("shapeToolResult", (result, { operation }) =>
      operation === "look" ? { ...result, message: result.message + " ${more}" } : result);
  },
};`;

const closedMath = `
const verdict = { decision: "deny", code: "permission_denied", message: "No sums." };
export default {
  register(host) {
    const decide = ({ tool }) => (tool === "math_operations" ? verdict : undefined);
    host.tap("authorizeToolCall", decide, { stage: "early" });
  },
};`;

/** What docs/runs-as-tests.md shows. */
describe("pergola runs export --as-test", function () {
  this.timeout(300_000);
  let project: Project;
  let host: Pick<TestHost, "json" | "request">;
  const test = (file: string): string => path.join(project.folder, "test", file);
  const plugin = (folder: string, code: string): string =>
    writePlugin(path.join(project.folder, folder), {
      id: "tool-sample",
      provides: { tools: { sample: ["look", "wipe"] }, hooks: ["shapeToolResult"] },
      code,
    });
  const playIn = (conversationId: string, script: readonly MockReply[]) =>
    play({ host, provider: project.model } as Stage, script, { conversationId });

  /** The call that waits for the person, as soon as there is one. */
  const questionIn = async (conversation: string): Promise<string> => {
    for (;;) {
      const [approval] = await approvals(host, `?conversationId=${conversation}`);
      if (approval !== undefined) return approval.toolCallId;
      await setTimeout(20);
    }
  };

  const mocha = (...names: readonly string[]): Promise<Ended> =>
    new Promise((resolve) => {
      const { NODE_OPTIONS: _, ...env } = process.env;
      const files = names.map((name) => test(`${name}.test.ts`));
      const words = [path.join(root, "node_modules/mocha/bin/mocha.js"), "--import=tsx", ...files];
      const options = {
        cwd: project.folder,
        env: { ...env, NO_COLOR: "1", HOME: project.environment["HOME"] },
      };
      execFile(process.execPath, words, options, (_error, stdout, stderr) => resolve({ stdout, stderr }));
    });
  const exportAs = async (name: string): Promise<string> => {
    const { id } = await runOf(host, name);
    const { code, stderr } = await project.run(["runs", "export", id, "--as-test", "test", "--name", name]);
    expect(code, stderr).to.equal(0);
    return readFileSync(test(`${name}.cassette.json`), "utf8");
  };
  /** Writes a test that replays a recording with a plugin. */
  const replayWith = (name: string, recording: string, use?: string): void => {
    writeFileSync(test(`${name}.cassette.json`), recording);
    const options = {
      plugins: ["@pergola/bundle-standard", ...(use === undefined ? [] : [{ use, isolation: "trusted" }])],
    };
    const text = readFileSync(test("whole.test.ts"), "utf8")
      .replaceAll("whole", name)
      .replace("import.meta.url)", `import.meta.url), ${JSON.stringify(options)}`);
    writeFileSync(test(`${name}.test.ts`), text);
  };

  before(async () => {
    project = await openProject();
    writeFileSync(path.join(project.folder, "package.json"), '{ "type": "module" }');
    symlinkSync(path.join(root, "node_modules"), path.join(project.folder, "node_modules"));
    const used = plugin("used", sampleCode("Well."));
    await approvePlugins(project.data, used);
    project.settings({ plugins: ["@pergola/bundle-standard", { use: used, isolation: "trusted" }] });
    const port = await freePort();
    await project.begin(["start", "--port", String(port)]).wrote("stop with Ctrl-C");
    const request: TestHost["request"] = (method, route, body) =>
      fetch(`http://127.0.0.1:${port}${route}`, {
        method,
        headers: body === undefined ? {} : { "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const json = async (...words: Parameters<TestHost["request"]>) => {
      const answered = await request(...words);
      return { status: answered.status, headers: answered.headers, body: (await answered.json()) as never };
    };
    host = { request, json };
  });
  after(() => project.close());

  it("writes tests of whole runs, which pass and fail readably", async () => {
    const where = path.join(project.environment["HOME"]!, "notes");
    const both = calling(calculation("1 + 1"), sample("look", { where, api_key: "hunter2", times: "3" }));
    const asked = playIn("whole", [both, calling(sample("wipe")), saying(`Two. ${key}`)]);
    const toolCallId = await questionIn("whole");
    await answer(host, toolCallId, { approved: true });
    await asked;
    project.model.play([calling(calculation("2 + 2")), { status: 500, body: ["no"] }]);
    const body = ask("Fail", { conversationId: "failed", stream: true });
    await (await host.request("POST", "/api/chat/completions", body)).text();

    const [whole, failed] = [await exportAs("whole"), await exportAs("failed")];
    for (const text of [key, "hunter2", project.environment["HOME"]!]) expect(whole).not.to.include(text);
    expect(whole).to.include('"where": "{home}/notes"').and.to.include('"times": 3');
    expect(whole).to.include('"decision": "approved"');
    expect(failed).to.include('"reason": "error"');

    replayWith("argument", whole.replace('"expression": "1 + 1"', '"expression": "1 + 2"'));
    const given = JSON.stringify({ success: true, data: "", message: "Done." });
    const known = whole.replace('"shaped": true', `"shaped": true, "given": ${given}`);
    replayWith("hook", known, plugin("other", sampleCode("Oh.")));
    const policy = { id: "policy-math", kind: "policy", provides: { hooks: ["authorizeToolCall"] } };
    replayWith("policy", failed, writePlugin(project.folder, { ...policy, code: closedMath }));

    const { stdout } = await mocha("whole", "failed", "argument", "hook", "policy");
    expect(stdout, stdout).to.include("2 passing").and.to.include("3 failing");
    for (const text of [
      "differs from its recording in tool call 1 of model call 1, math_operations.calculate:",
      "-   expression: 1 + 1",
      "+   expression: 1 + 2",
      "-   message: Done. Well.",
      "+   message: Done. Oh.",
      "+   error: No sums.",
    ])
      expect(stdout).to.include(text);
  });

  it("says what cannot become a test", async () => {
    const unknown = await project.run(["runs", "export", "run_1", "--as-test"]);
    expect([unknown.code, unknown.stderr.includes("`pergola runs list`")]).to.deep.equal([2, true]);
    const { id } = await runOf(host, "whole");
    const again = await project.run(["runs", "export", id, "--as-test", "test", "--name", "whole"]);
    expect([again.code, again.stderr.includes("exists already")]).to.deep.equal([2, true]);
    const error = await replayRun({ format: "other" } as never).catch((cause: unknown) => cause);
    expect(error).to.match(/no recording that can be replayed/);
  });
});
