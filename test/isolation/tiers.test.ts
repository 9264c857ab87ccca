import path from "node:path";
import { expect } from "chai";
import { AppError, ToolError, type JsonObject, type ToolContext } from "@pergola/sdk";
import type { RegisteredTool } from "@pergola/sdk/host";
import { memorySearch, temporaryFolder, toolContext } from "@pergola/sdk/testing";
import { prepareCall } from "../../plugins/service-tools/prepare-call.ts";
import type { RegisteredPlugin } from "../../core/plugins/registry.ts";
import { builtPlugin } from "../support/plugins/built-plugin.ts";
import { pluginScene, stateOf, type PluginScene } from "../support/plugins/plugin-scene.ts";
import { needsSandbox } from "../boundary/support/program-stage.ts";

const sample = path.resolve(import.meta.dirname, "../support/plugins/tool-sample");

/** What both tiers must show of one and the same plugin: its code cannot tell where it runs. */
for (const isolation of ["trusted", "process"] as const) {
  describe(`a tool plugin with isolation: ${isolation}`, function () {
    this.timeout(20_000);
    let scene: PluginScene;
    let entry: RegisteredTool;
    let state: string;
    const operation = (name: string) => entry.tool.operations.find((each) => each.name === name)!;
    const run = async (name: string, args: JsonObject = {}, context: ToolContext = toolContext()) =>
      operation(name).run(args as never, context);
    const failure = async (name: string, args: JsonObject = {}, context?: ToolContext): Promise<unknown> =>
      run(name, args, context).catch((error: unknown) => error);

    before(async function () {
      if (isolation === "process") needsSandbox.call(this);
      scene = pluginScene();
      const use = isolation === "process" ? await builtPlugin(sample) : sample;
      const lifecycle = await scene.run([{ use, isolation }]);
      state = stateOf(lifecycle, "tool-sample");
      entry = lifecycle.registry.tools[0]!;
    });
    after(() => (scene as PluginScene | undefined)?.stop());

    it("runs", () => {
      expect(state).to.equal("running");
      expect((entry.plugin as RegisteredPlugin).tier).to.equal(
        isolation === "trusted" ? "trusted" : "isolated",
      );
    });

    it("shows the same tool", () => {
      const { name, aliases, operations } = entry.tool;
      expect({ name, aliases }).to.deep.equal({ name: "sample", aliases: { sample_facts: "facts" } });
      expect(operations.filter(({ hidden }) => hidden === true).map((each) => each.name)).to.deep.equal([
        "hidden",
      ]);
      expect(operation("facts")).to.deep.include({
        description: "Gives back the plain parts of the context",
        effect: "none",
        parameters: { text: { type: "string" } },
        required: ["text"],
      });
      expect(operation("choose")).to.deep.include({
        effects: ["write", "destructive"],
        recovery: "reconcile",
      });
      expect(entry.plugin.collections).to.deep.equal({ things: { indexes: ["size"] } });
    });

    it("hands over facts, arguments and results", async () => {
      const workingDirectory = temporaryFolder();
      const context = toolContext({
        workingDirectory,
        settings: { "tools.sample.depth": 5 },
        contextWindow: 1000,
        scope: "topic",
      });
      const { data, message, fields } = await run("facts", { text: "ä\u2028\n" }, context);
      expect({ message, fields }).to.deep.equal({ message: "ok", fields: { extra: [1, 2] } });
      expect(data).to.deep.equal({
        text: "ä\u2028\n",
        callId: "call_test",
        conversationId: "c1",
        scope: "topic",
        workingDirectory,
        settings: { "tools.sample.depth": 5 },
        contextWindow: 1000,
        iteration: 1,
        aborted: false,
      });
    });

    it("reaches files through the door, bytes and errors included", async () => {
      const { data } = await run("files");
      expect(data).to.deep.equal({
        created: true,
        text: "hello",
        bytes: [255, 7],
        names: ["a.txt", "b.bin"],
        missed: "file_not_found",
        nothing: null,
      });
    });

    it("keeps records, documents and blobs", async () => {
      const { data } = await run("records", {}, toolContext({ search: memorySearch }));
      const { hits, ...rest } = data as { readonly hits: readonly string[] };
      expect(rest).to.deep.equal({ found: ["t1 1", "t3 1"], count: 2, blob: [2, 3], gone: null });
      expect(hits).to.be.an("array");
    });

    it("fetches, starts programs, and asks for secrets, settings, vectors and results", async () => {
      const asked: unknown[] = [];
      const context = toolContext({
        preferences: { "user.name": "Ada" },
        secrets: { "tools.sample.key": "the key" },
        results: { res_1: "0123456789" },
        embed: async () => [new Float32Array([0.5, 0.25])],
        fetch: async (...call) => {
          asked.push(call);
          const answer = new Response(JSON.stringify({ a: 1 }), {
            status: 201,
            headers: { "content-type": "application/json" },
          });
          return Object.defineProperty(answer, "url", { value: "https://example.org/y" });
        },
        spawn: async (program, args, options) => {
          asked.push([program, args]);
          options?.onOutput?.("hi\n", "stdout");
          return { exitCode: 0, stdout: "hi\n", stderr: "", timedOut: false, truncated: false };
        },
      });
      const { data } = await run("outside", {}, context);
      expect(data).to.deep.equal({
        fetched: { status: 201, kind: "application/json", body: { a: 1 }, url: "https://example.org/y" },
        exitCode: 0,
        stdout: "hi\n",
        output: ["stdout hi\n"],
        vector: [[0.5, 0.25]],
        chunk: "234",
        secret: "the key",
        preference: "Ada",
      });
      expect(JSON.parse(JSON.stringify(asked))).to.deep.equal([
        ["https://example.org/x", { method: "POST", headers: { a: "b" }, body: "hello" }],
        ["echo", ["hi"]],
      ]);
    });

    it("asks the person, reports, logs and raises the limit", async () => {
      const context = toolContext({ answers: ["yes"] });
      const { data } = await run("person", {}, context);
      expect(data).to.deep.include({ limit: { previous: 300, limit: 400 } });
      expect(context.progressed).to.deep.equal(["half way"]);
      expect(context.logged).to.deep.equal([{ level: "info", fields: { step: 1 }, message: "working" }]);
      expect(context.questions).to.deep.equal([{ prompt: "Sure?", options: ["yes", "no"] }]);
    });

    it("a refusal of the door comes back as the plugin may catch it, or fails the call", async () => {
      const refuse = async () =>
        Promise.reject(new ToolError("permission_denied", "no network", { hint: "ask" }));
      const error = await failure("outside", {}, toolContext({ fetch: refuse }));
      expect(ToolError.is(error)).to.equal(true);
      expect(error).to.include({ code: "permission_denied", message: "no network", hint: "ask" });
    });

    it("fails with the errors it throws", async () => {
      const tool = await failure("fail", { how: "tool" });
      expect(ToolError.is(tool)).to.equal(true);
      expect(tool).to.deep.include({
        code: "not_found",
        message: "there is no such thing",
        hint: "try a",
        fields: { similar: ["a"] },
      });
      const app = await failure("fail", { how: "app" });
      expect(AppError.is(app)).to.equal(true);
      expect(app).to.include({ code: "conflict", status: 409 });
      const bug = await failure("fail", { how: "bug" });
      expect(ToolError.is(bug) || AppError.is(bug)).to.equal(false);
      expect(bug).to.have.property("message", "cannot read");
    });

    it("says before a call what it would do", async () => {
      expect(await prepareCall(entry, operation("choose"), { path: "a" })).to.deep.equal({
        effect: "write",
        touches: [{ path: "a.bak", effect: "write" }],
        display: { summary: "Chooses a" },
      });
      expect(await prepareCall(entry, operation("choose"), { path: "/a" })).to.have.property(
        "effect",
        "destructive",
      );
      expect(await prepareCall(entry, operation("files"), {})).to.deep.equal({
        effect: "write",
        touches: [],
        display: {},
      });
    });

    it("says after a crash whether it happened", async () => {
      const context = toolContext();
      expect(await operation("choose").reconcile!({ path: "x" } as never, context)).to.equal(
        "did_not_happen",
      );
      await context.files.write("x", "");
      expect(await operation("choose").reconcile!({ path: "x" } as never, context)).to.equal("happened");
    });

    it("says whether it can be used", async () => {
      expect(await entry.tool.unavailable!(toolContext())).to.equal(undefined);
    });

    it("hears that its call is ended", async () => {
      const abort = new AbortController();
      const work = run("wait", {}, toolContext({ signal: abort.signal }));
      setImmediate(() => abort.abort());
      expect(await work).to.deep.equal({ data: "ended" });
      expect(await run("wait", {}, toolContext({ signal: AbortSignal.abort() }))).to.deep.equal({
        data: "ended",
      });
    });

    it("tells the host's time", async () => {
      const context = toolContext();
      const { data } = await run("now", {}, context);
      expect(Math.abs((data as number) - context.clock.now())).to.be.below(5000);
    });

    it("keeps many calls at once apart", async () => {
      const texts = Array.from({ length: 50 }, (_, index) => `call ${index}`);
      const answers = await Promise.all(
        texts.map((text) => run("facts", { text }, toolContext({ callId: text }))),
      );
      expect(
        answers
          .map(({ data }) => data as { text: string; callId: string })
          .map(({ text, callId }) => [text, callId]),
      ).to.deep.equal(texts.map((text) => [text, text]));
    });
  });
}
