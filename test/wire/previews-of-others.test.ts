import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { allChunks, temporaryFolder } from "@pergola/sdk/testing";
import { expect } from "chai";
import { needsSandbox } from "../boundary/support/program-stage.ts";
import { outcomesOf } from "../support/lab-stage.ts";
import { writePlugin } from "../support/plugins/write-plugin.ts";
import { linesOf, openPreviewStage, type PreviewStage } from "../support/preview-stage.ts";
import { verifies } from "../support/verifies.ts";

const plugins = temporaryFolder();
const counter = path.join(temporaryFolder(), "counter");

/** Somebody's tool that changes a file, counts how often it ran, and wants to keep a record as well. */
const foreignTool = (id: string): string =>
  writePlugin(plugins, {
    id,
    provides: { tools: { [id]: ["go"] } },
    manifest: { permissions: { files: "workspace" } },
    code: `
import { appendFileSync } from "node:fs";
export default {
  collections: { notes: { indexes: [] } },
  tools: [{ name: "${id}", description: "A tool under test", operations: [{
    name: "go", description: "Goes", effect: "destructive", place: "paths",
    parameters: { file: { type: "string", format: "path" }, records: { type: "boolean", default: false },
      milliseconds: { type: "integer", default: 0 }, text: { type: "string", default: "by a tool of others" } },
    required: ["file"],
    async run({ file, records, milliseconds, text }, { files, collection }) {
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      if ("${id}" === "inside") appendFileSync(${JSON.stringify(counter)}, "ran ");
      await files.write(file, text.replace("NOW", String(process.hrtime.bigint())));
      if (records) await collection("notes").put({ id: "one" });
      if (text === "quietly") await collection("notes").put({ id: "two" }).catch(() => undefined);
      return { data: "gone" };
    } }] }],
};`,
  });

describe("what a tool of others would do, shown before a yes", function () {
  this.timeout(30_000);
  let stage: PreviewStage;
  before(async () => {
    stage = await openPreviewStage([
      { use: foreignTool("apart"), isolation: "process" },
      { use: foreignTool("inside"), isolation: "trusted" },
    ]);
  });
  after(() => stage.end());

  verifies(
    "approval:preview",
    "tries out a tool of others in its own process, with files alone",
    async function (this: Mocha.Context) {
      needsSandbox.call(this);
      writeFileSync(stage.at("mine"), "mine");
      const plain = await stage.asking("apart", {
        name: "apart",
        arguments: { operation: "go", file: "mine" },
      });
      expect(plain.shown.preview).to.include({ state: "ready", undo: "all" });
      expect(linesOf(plain.shown)).to.include("+by a tool of others");
      expect(readFileSync(stage.at("mine"), "utf8")).to.equal("mine");
      await stage.yes(plain.shown.toolCallId);
      await plain.ended;
      expect(readFileSync(stage.at("mine"), "utf8")).to.equal("by a tool of others");
      const args = { operation: "go", file: "mine", records: true };
      const more = await stage.asking("records", { name: "apart", arguments: args });
      expect(more.shown.preview).to.include({ state: "none", undo: "files" });
      expect(more.shown.preview?.note).to.match(/^It does more than change files/);
      await stage.no(more.shown.toolCallId);
      await more.ended;
      const quietly = { operation: "go", file: "mine", text: "quietly" };
      const part = await stage.asking("quietly", { name: "apart", arguments: quietly });
      expect(part.shown.preview).to.include({ state: "partial", undo: "files" });
      expect(part.shown.preview?.note).to.match(/^It does more than change files/);
      expect(linesOf(part.shown)).to.include("+quietly");
      await stage.no(part.shown.toolCallId);
      await part.ended;
    },
  );

  verifies(
    "approval:preview",
    "lets a slow tool of others end: that it was tried out is no strike",
    async function (this: Mocha.Context) {
      needsSandbox.call(this);
      const args = { operation: "go", file: "slow", milliseconds: 3500 };
      const { ended, shown } = await stage.asking("slow", { name: "apart", arguments: args });
      expect(shown.preview).to.include({ state: "none" });
      expect(shown.preview?.note).to.match(/could not be worked out within 2 s/);
      await stage.yes(shown.toolCallId);
      await ended;
      expect((await outcomesOf(stage.host, "slow")).at(-1)?.success).to.equal(true);
      expect(readFileSync(stage.at("slow"), "utf8")).to.equal("by a tool of others");
      const { body } = await stage.host.json<{ strikes?: readonly object[] }>("GET", "/api/plugins/apart");
      expect(body.strikes ?? []).to.deep.equal([]);
    },
  );

  verifies(
    "approval:preview",
    "a call that leaves another text each time runs, and says so",
    async function (this: Mocha.Context) {
      needsSandbox.call(this);
      const args = { operation: "go", file: "dated", text: "at NOW" };
      const call = { name: "apart", arguments: args };
      const { ended, shown } = await stage.asking("dated", call, {
        stream: true,
        stream_options: { include_tool_events: true },
      });
      const [seen] = linesOf(shown) ?? [];
      expect(seen).to.match(/^\+at \d+$/);
      await stage.yes(shown.toolCallId);
      const details = (await ended.then(allChunks)).flatMap(({ toolDetails }) => toolDetails ?? []);
      expect(JSON.stringify(details)).to.include("it says something else at each call");
      expect(readFileSync(stage.at("dated"), "utf8")).to.match(/^at \d+$/);
    },
  );

  verifies("approval:preview", "runs no code of others inside the service before a yes", async () => {
    const call = { name: "inside", arguments: { operation: "go", file: "mine" } };
    const { ended, shown } = await stage.asking("inside", call);
    expect(shown.preview).to.include({ state: "none" });
    expect(shown.preview?.note).to.match(/^Its plugin runs inside the service/);
    expect(existsSync(counter)).to.equal(false);
    await stage.yes(shown.toolCallId);
    await ended;
    expect(readFileSync(counter, "utf8")).to.equal("ran ");
  });
});
