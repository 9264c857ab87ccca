import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Preview, PreviewDiff } from "@pergola/sdk/host";
import { allChunks, temporaryFolder, type ScriptedCall } from "@pergola/sdk/testing";
import { expect } from "chai";
import { canary } from "../support/canary.ts";
import { commanding, deleting, fileCall, renaming, writing } from "../support/changes-scene.ts";
import { ask, officialPlugins, openStage, type Stage } from "../support/host.ts";
import { answer, calling, outcomesOf, pendingIn, saying, type WireApproval } from "../support/lab-stage.ts";
import { writePlugin } from "../support/plugins/write-plugin.ts";
import { verifies } from "../support/verifies.ts";

type Shown = WireApproval & { readonly preview: Preview | null };

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

describe("what a call would do, shown before a yes", function () {
  this.timeout(30_000);
  let stage: Stage;
  const folder = temporaryFolder("pergola-preview-");
  const outside = temporaryFolder("pergola-outside-");
  const at = (name: string): string => path.join(folder, name);
  before(async () => {
    const foreign = [
      { use: foreignTool("apart"), isolation: "process" },
      { use: foreignTool("inside"), isolation: "trusted" },
    ];
    stage = await openStage(undefined, {
      settings: { "tools.disabled": [] },
      plugins: [...officialPlugins(), ...foreign],
    });
  });
  after(() => stage.end());

  /** Plays a call that asks; gives its question as it is shown by itself. */
  const asking = async (conversationId: string, call: ScriptedCall, more: object = {}) => {
    stage.provider.play([calling(call), saying("Done.")]);
    const config = { service_config: { working_directory: folder } };
    const ended = stage.host.request(
      "POST",
      "/api/chat/completions",
      ask("Do it", { conversationId, ...config, ...more }),
    );
    const listed = await pendingIn(stage.host, conversationId);
    return { ended, listed: listed as Shown, shown: await one(listed.id) };
  };
  const one = async (id: string): Promise<Shown> =>
    (await stage.host.json<Shown>("GET", `/api/approvals/${id}`)).body;
  const yes = (toolCallId: string) => answer(stage.host, toolCallId, { approved: true });
  const no = (toolCallId: string) => answer(stage.host, toolCallId, { approved: false });
  const linesOf = ({ preview }: Shown, index = 0) =>
    preview?.files[index]?.diff?.hunks?.flatMap(({ lines }) => lines);

  verifies(
    "approval:preview",
    "B2: the exact lines of a write outside, the hunks by itself only",
    async () => {
      const file = path.join(outside, "notes.md");
      writeFileSync(file, "# Trip\n3 May\nGraz\n");
      const call = writing(file, "# Trip\n4 May\nGraz\n");
      const { ended, listed, shown } = await asking("exact", call, { stream: true });
      const { preview } = shown;
      expect(preview).to.deep.include({
        state: "ready",
        note: null,
        undo: "all",
        command: null,
        recipients: [],
      });
      const [written] = preview!.files;
      expect(written).to.deep.include({ path: file, from: null, change: "modified" });
      expect([written?.before?.size, written?.after?.size]).to.deep.equal([18, 18]);
      expect(written?.before?.mode).to.match(/^0[0-7]{3}$/);
      expect(linesOf(shown)).to.deep.equal([" # Trip", "-3 May", "+4 May", " Graz"]);
      const { hunks: _, ...counts } = written!.diff!;
      const head = { ...preview, files: [{ ...written, diff: counts }] };
      expect(listed.preview).to.deep.equal(head);
      await yes(shown.toolCallId);
      const chunks = await ended.then(allChunks);
      const asked = chunks.find(({ event }) => event?.type === "user_input_required")?.event;
      expect((asked as unknown as Shown).preview).to.deep.equal(head);
      expect(readFileSync(file, "utf8")).to.equal("# Trip\n4 May\nGraz\n");
    },
  );

  verifies("approval:preview", "B2: the whole file, as long as it is the one that was shown", async () => {
    const file = path.join(outside, "long.md");
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`);
    const text = (changed: string): string => lines.join("\n").replace("line 20", changed);
    writeFileSync(file, text(`line 20 ${canary.value}`));
    const call = writing(file, text("twenty"));
    const { ended, shown } = await asking("whole", call);
    const whole = (id: string, query: string) =>
      stage.host.json<PreviewDiff>("GET", `/api/approvals/${id}/diff${query}`);
    const here = `?path=${encodeURIComponent(file)}`;
    const { body } = await whole(shown.id, here);
    expect(body.reason).to.equal(null);
    const found = body.diff?.hunks.flatMap(({ lines: all }) => all) ?? [];
    expect(found.filter((line) => line.startsWith(" "))).to.have.length(39);
    expect(found.filter((line) => line === "+twenty")).to.have.length(1);
    expect(JSON.stringify(body)).to.not.include(canary.value);
    expect((await whole(shown.id, "?path=/elsewhere")).status).to.equal(404);
    expect((await whole("apr_none", here)).status).to.equal(404);
    expect((await whole(shown.id, "")).status).to.equal(400);
    writeFileSync(file, "another\n");
    expect((await whole(shown.id, here)).body).to.deep.equal({
      diff: null,
      reason: "The file has changed since this was shown.",
    });
    await no(shown.toolCallId);
    await ended;
  });

  verifies(
    "approval:preview",
    "B3: a file that changes before the yes is shown anew, unwritten",
    async () => {
      const file = path.join(outside, "moving.md");
      writeFileSync(file, "one\n");
      const call = fileCall("replace_string", { filePath: file, oldString: "one", newString: "two" });
      const { ended, shown } = await asking("moved", call);
      writeFileSync(file, "one, by hand\n");
      await yes(shown.toolCallId);
      const again = await one((await pendingIn(stage.host, "moved", shown)).id);
      expect(again.reason).to.match(/^changed since it was shown/);
      expect(linesOf(again)).to.deep.equal(["-one, by hand", "+two, by hand"]);
      expect(readFileSync(file, "utf8")).to.equal("one, by hand\n");
      await yes(again.toolCallId);
      await ended;
      expect(readFileSync(file, "utf8")).to.equal("two, by hand\n");
    },
  );

  verifies("approval:preview", "a yes rests on what was read, too", async () => {
    writeFileSync(at("patched"), "a\n");
    writeFileSync(at("gone"), "b\n");
    const patch = `*** Begin Patch
*** Update File: patched
@@
-a
+A
*** Delete File: gone
*** Add File: new/deep.txt
+fresh
*** End Patch`;
    const { ended, shown } = await asking("patch", { name: "apply_patch", arguments: { patch } });
    const files = shown.preview!.files.map(({ path: name, change }) => [path.relative(folder, name), change]);
    expect(files).to.have.deep.members([
      ["patched", "modified"],
      ["gone", "deleted"],
      ["new/deep.txt", "created"],
    ]);
    expect(shown.preview).to.include({ state: "ready", undo: "all" });
    expect([existsSync(at("new")), existsSync(at("gone"))]).to.deep.equal([false, true]);
    await no(shown.toolCallId);
    await ended;
    expect(readFileSync(at("patched"), "utf8")).to.equal("a\n");
  });

  verifies("approval:preview", "names what is renamed and what is removed", async () => {
    writeFileSync(path.join(outside, "old"), "same\n");
    const to = path.join(outside, "sub/new");
    const renamed = await asking("renames", renaming(path.join(outside, "old"), to));
    expect(renamed.shown.preview?.files).to.have.lengthOf(1);
    expect(renamed.shown.preview?.files[0]).to.deep.include({
      path: to,
      from: path.join(outside, "old"),
      change: "renamed",
    });
    await no(renamed.shown.toolCallId);
    await renamed.ended;
    writeFileSync(at("away"), `key ${canary.value}\n`);
    const removed = await asking("removes", deleting("away"));
    expect(removed.shown.preview?.files[0]).to.include({ change: "deleted", after: null });
    expect(linesOf(removed.shown)).to.deep.equal(["-key [redacted]"]);
    await no(removed.shown.toolCallId);
    await removed.ended;
    expect(existsSync(at("away"))).to.equal(true);
  });

  verifies("approval:preview", "says of a call that would fail why it would", async () => {
    const file = path.join(outside, "other.md");
    writeFileSync(file, "nothing of it\n");
    const call = fileCall("replace_string", { filePath: file, oldString: "missing", newString: "x" });
    const { ended, shown } = await asking("fails", call);
    expect(shown.preview).to.include({ state: "none" });
    expect(shown.preview?.note).to.match(/^As things stand it would fail: /);
    await no(shown.toolCallId);
    await ended;
  });

  verifies(
    "approval:preview",
    "B5: a command whole, with its turning marks, its shell, folder and limit",
    async () => {
      const call = commanding("rm -r build\u202e && ls");
      const { ended, listed, shown } = await asking("command", call);
      expect(shown.preview?.command).to.deep.include({
        line: "rm -r build\\u{202e} && ls",
        workingDirectory: folder,
        host: null,
        timeoutSeconds: 120,
      });
      expect(shown.preview?.command?.shell).to.match(/sh$/);
      expect(shown.preview?.command?.environment).to.include("PATH").and.not.include(canary.variable);
      expect(shown.preview).to.include({ state: "ready", note: null, undo: "files" });
      expect(listed.preview).to.deep.equal(shown.preview);
      await no(shown.toolCallId);
      await ended;
      const remote = await asking("remote", {
        name: "remote_execution",
        arguments: { operation: "execute_remote", host: "me@build", command: "uptime" },
      });
      expect(remote.shown.preview?.command).to.include({ line: "uptime", host: "me@build", sandbox: null });
      expect(remote.shown.preview?.recipients).to.deep.equal([
        { kind: "host", name: "me@build", address: "me@build" },
      ]);
      expect(remote.shown.preview?.undo).to.equal("none");
      await no(remote.shown.toolCallId);
      await remote.ended;
    },
  );

  verifies(
    "approval:preview",
    "tries out a tool of others in its own process, with files alone",
    async () => {
      writeFileSync(at("mine"), "mine");
      const plain = await asking("apart", { name: "apart", arguments: { operation: "go", file: "mine" } });
      expect(plain.shown.preview).to.include({ state: "ready", undo: "all" });
      expect(linesOf(plain.shown)).to.include("+by a tool of others");
      expect(readFileSync(at("mine"), "utf8")).to.equal("mine");
      await yes(plain.shown.toolCallId);
      await plain.ended;
      expect(readFileSync(at("mine"), "utf8")).to.equal("by a tool of others");
      const args = { operation: "go", file: "mine", records: true };
      const more = await asking("records", { name: "apart", arguments: args });
      expect(more.shown.preview).to.include({ state: "none", undo: "files" });
      expect(more.shown.preview?.note).to.match(/^It does more than change files/);
      await no(more.shown.toolCallId);
      await more.ended;
      const quietly = { operation: "go", file: "mine", text: "quietly" };
      const part = await asking("quietly", { name: "apart", arguments: quietly });
      expect(part.shown.preview).to.include({ state: "partial", undo: "files" });
      expect(part.shown.preview?.note).to.match(/^It does more than change files/);
      expect(linesOf(part.shown)).to.include("+quietly");
      await no(part.shown.toolCallId);
      await part.ended;
    },
  );

  verifies(
    "approval:preview",
    "lets a slow tool of others end: that it was tried out is no strike",
    async () => {
      const args = { operation: "go", file: "slow", milliseconds: 3500 };
      const { ended, shown } = await asking("slow", { name: "apart", arguments: args });
      expect(shown.preview).to.include({ state: "none" });
      expect(shown.preview?.note).to.match(/could not be worked out within 2 s/);
      await yes(shown.toolCallId);
      await ended;
      expect((await outcomesOf(stage.host, "slow")).at(-1)?.success).to.equal(true);
      expect(readFileSync(at("slow"), "utf8")).to.equal("by a tool of others");
      const { body } = await stage.host.json<{ strikes?: readonly object[] }>("GET", "/api/plugins/apart");
      expect(body.strikes ?? []).to.deep.equal([]);
    },
  );

  verifies("approval:preview", "a call that leaves another text each time runs, and says so", async () => {
    const args = { operation: "go", file: "dated", text: "at NOW" };
    const call = { name: "apart", arguments: args };
    const { ended, shown } = await asking("dated", call, {
      stream: true,
      stream_options: { include_tool_events: true },
    });
    const [seen] = linesOf(shown) ?? [];
    expect(seen).to.match(/^\+at \d+$/);
    await yes(shown.toolCallId);
    const details = (await ended.then(allChunks)).flatMap(({ toolDetails }) => toolDetails ?? []);
    expect(JSON.stringify(details)).to.include("it says something else at each call");
    expect(readFileSync(at("dated"), "utf8")).to.match(/^at \d+$/);
  });

  verifies("approval:preview", "runs no code of others inside the service before a yes", async () => {
    const call = { name: "inside", arguments: { operation: "go", file: "mine" } };
    const { ended, shown } = await asking("inside", call);
    expect(shown.preview).to.include({ state: "none" });
    expect(shown.preview?.note).to.match(/^Its plugin runs inside the service/);
    expect(existsSync(counter)).to.equal(false);
    await yes(shown.toolCallId);
    await ended;
    expect(readFileSync(counter, "utf8")).to.equal("ran ");
  });

  verifies(
    "approval:preview",
    "authorization 6: a write is bound to the file that it would replace",
    async () => {
      const file = path.join(outside, "bound.md");
      writeFileSync(file, "first\n");
      const { ended, shown } = await asking("bound", writing(file, "mine\n"));
      for (const [index, text] of ["second\n", "third\n"].entries()) {
        const before = index === 0 ? undefined : shown;
        const { toolCallId } = await pendingIn(stage.host, "bound", before);
        writeFileSync(file, text);
        await yes(toolCallId);
      }
      await ended;
      expect((await outcomesOf(stage.host, "bound")).at(-1)?.error_code).to.equal("permission_denied");
      expect(readFileSync(file, "utf8")).to.equal("third\n");
    },
  );

  verifies("approval:preview", "cuts what is too long, and says so", async () => {
    const file = path.join(outside, "long.txt");
    const { ended, shown } = await asking("long", writing(file, "x\n".repeat(5_000)));
    const { preview } = shown;
    expect(preview).to.include({ state: "partial", note: "It is too long to be shown whole." });
    expect(preview?.files[0]?.diff).to.include({ additions: 5_000, truncated: true });
    expect(linesOf(shown)).to.have.lengthOf(2_000);
    await no(shown.toolCallId);
    await ended;
  });
});
