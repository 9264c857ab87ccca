import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { PreviewDiff } from "@pergola/sdk/host";
import { allChunks, temporaryFolder } from "@pergola/sdk/testing";
import { expect } from "chai";
import { canary } from "../support/canary.ts";
import { commanding, deleting, fileCall, renaming, writing } from "../support/changes-scene.ts";
import { outcomesOf, pendingIn } from "../support/lab-stage.ts";
import { linesOf, openPreviewStage, type PreviewStage, type Shown } from "../support/preview-stage.ts";
import { verifies } from "../support/verifies.ts";

describe("what a call would do, shown before a yes", function () {
  this.timeout(30_000);
  const outside = temporaryFolder("pergola-outside-");
  let stage: PreviewStage;
  before(async () => {
    stage = await openPreviewStage();
  });
  after(() => stage.end());

  verifies(
    "approval:preview",
    "B2: the exact lines of a write outside, the hunks by itself only",
    async () => {
      const file = path.join(outside, "notes.md");
      writeFileSync(file, "# Trip\n3 May\nGraz\n");
      const call = writing(file, "# Trip\n4 May\nGraz\n");
      const { ended, listed, shown } = await stage.asking("exact", call, { stream: true });
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
      await stage.yes(shown.toolCallId);
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
    const { ended, shown } = await stage.asking("whole", call);
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
    await stage.no(shown.toolCallId);
    await ended;
  });

  verifies(
    "approval:preview",
    "B3: a file that changes before the yes is shown anew, unwritten",
    async () => {
      const file = path.join(outside, "moving.md");
      writeFileSync(file, "one\n");
      const call = fileCall("replace_string", { filePath: file, oldString: "one", newString: "two" });
      const { ended, shown } = await stage.asking("moved", call);
      writeFileSync(file, "one, by hand\n");
      await stage.yes(shown.toolCallId);
      const again = await stage.one((await pendingIn(stage.host, "moved", shown)).id);
      expect(again.reason).to.match(/^changed since it was shown/);
      expect(linesOf(again)).to.deep.equal(["-one, by hand", "+two, by hand"]);
      expect(readFileSync(file, "utf8")).to.equal("one, by hand\n");
      await stage.yes(again.toolCallId);
      await ended;
      expect(readFileSync(file, "utf8")).to.equal("two, by hand\n");
    },
  );

  verifies("approval:preview", "a yes rests on what was read, too", async () => {
    writeFileSync(stage.at("patched"), "a\n");
    writeFileSync(stage.at("gone"), "b\n");
    const patch = `*** Begin Patch
*** Update File: patched
@@
-a
+A
*** Delete File: gone
*** Add File: new/deep.txt
+fresh
*** End Patch`;
    const { ended, shown } = await stage.asking("patch", { name: "apply_patch", arguments: { patch } });
    const files = shown.preview!.files.map(({ path: name, change }) => [
      path.relative(stage.folder, name),
      change,
    ]);
    expect(files).to.have.deep.members([
      ["patched", "modified"],
      ["gone", "deleted"],
      ["new/deep.txt", "created"],
    ]);
    expect(shown.preview).to.include({ state: "ready", undo: "all" });
    expect([existsSync(stage.at("new")), existsSync(stage.at("gone"))]).to.deep.equal([false, true]);
    await stage.no(shown.toolCallId);
    await ended;
    expect(readFileSync(stage.at("patched"), "utf8")).to.equal("a\n");
  });

  verifies("approval:preview", "names what is renamed and what is removed", async () => {
    writeFileSync(path.join(outside, "old"), "same\n");
    const to = path.join(outside, "sub/new");
    const renamed = await stage.asking("renames", renaming(path.join(outside, "old"), to));
    expect(renamed.shown.preview?.files).to.have.lengthOf(1);
    expect(renamed.shown.preview?.files[0]).to.deep.include({
      path: to,
      from: path.join(outside, "old"),
      change: "renamed",
    });
    await stage.no(renamed.shown.toolCallId);
    await renamed.ended;
    writeFileSync(stage.at("away"), `key ${canary.value}\n`);
    const removed = await stage.asking("removes", deleting("away"));
    expect(removed.shown.preview?.files[0]).to.include({ change: "deleted", after: null });
    expect(linesOf(removed.shown)).to.deep.equal(["-key [redacted]"]);
    await stage.no(removed.shown.toolCallId);
    await removed.ended;
    expect(existsSync(stage.at("away"))).to.equal(true);
  });

  verifies("approval:preview", "says of a call that would fail why it would", async () => {
    const file = path.join(outside, "other.md");
    writeFileSync(file, "nothing of it\n");
    const call = fileCall("replace_string", { filePath: file, oldString: "missing", newString: "x" });
    const { ended, shown } = await stage.asking("fails", call);
    expect(shown.preview).to.include({ state: "none" });
    expect(shown.preview?.note).to.match(/^As things stand it would fail: /);
    await stage.no(shown.toolCallId);
    await ended;
  });

  verifies(
    "approval:preview",
    "B5: a command whole, with its turning marks, its shell, folder and limit",
    async () => {
      const call = commanding("rm -r build\u202e && ls");
      const { ended, listed, shown } = await stage.asking("command", call);
      expect(shown.preview?.command).to.deep.include({
        line: "rm -r build\\u{202e} && ls",
        workingDirectory: stage.folder,
        host: null,
        timeoutSeconds: 120,
      });
      expect(shown.preview?.command?.shell).to.match(/sh$/);
      expect(shown.preview?.command?.environment).to.include("PATH").and.not.include(canary.variable);
      expect(shown.preview).to.include({ state: "ready", note: null, undo: "files" });
      expect(listed.preview).to.deep.equal(shown.preview);
      await stage.no(shown.toolCallId);
      await ended;
      const remote = await stage.asking("remote", {
        name: "remote_execution",
        arguments: { operation: "execute_remote", host: "me@build", command: "uptime" },
      });
      expect(remote.shown.preview?.command).to.include({ line: "uptime", host: "me@build", sandbox: null });
      expect(remote.shown.preview?.recipients).to.deep.equal([
        { kind: "host", name: "me@build", address: "me@build" },
      ]);
      expect(remote.shown.preview?.undo).to.equal("none");
      await stage.no(remote.shown.toolCallId);
      await remote.ended;
    },
  );

  verifies(
    "approval:preview",
    "authorization 6: a write is bound to the file that it would replace",
    async () => {
      const file = path.join(outside, "bound.md");
      writeFileSync(file, "first\n");
      const { ended, shown } = await stage.asking("bound", writing(file, "mine\n"));
      for (const [index, text] of ["second\n", "third\n"].entries()) {
        const before = index === 0 ? undefined : shown;
        const { toolCallId } = await pendingIn(stage.host, "bound", before);
        writeFileSync(file, text);
        await stage.yes(toolCallId);
      }
      await ended;
      expect((await outcomesOf(stage.host, "bound")).at(-1)?.error_code).to.equal("permission_denied");
      expect(readFileSync(file, "utf8")).to.equal("third\n");
    },
  );

  verifies("approval:preview", "cuts what is too long, and says so", async () => {
    const file = path.join(outside, "long.txt");
    const { ended, shown } = await stage.asking("long", writing(file, "x\n".repeat(5_000)));
    const { preview } = shown;
    expect(preview).to.include({ state: "partial", note: "It is too long to be shown whole." });
    expect(preview?.files[0]?.diff).to.include({ additions: 5_000, truncated: true });
    expect(linesOf(shown)).to.have.lengthOf(2_000);
    await stage.no(shown.toolCallId);
    await ended;
  });
});
