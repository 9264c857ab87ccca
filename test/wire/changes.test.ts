import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { expect } from "chai";
import {
  deleting,
  fileCall,
  openChanges,
  renaming,
  writing,
  type ChangesScene,
} from "../support/changes-scene.ts";
import { verifies } from "../support/verifies.ts";

const digest = (text: string): string => createHash("sha256").update(text).digest("hex");

describe("what runs change in files", () => {
  let scene: ChangesScene;
  beforeEach(async () => {
    scene = await openChanges();
  });
  afterEach(() => scene.end());

  verifies("changes:recorded", "is listed with what stood there before and after", async () => {
    scene.put("old.txt", "before");
    chmodSync(scene.at("old.txt"), 0o640);
    scene.put("gone.txt", "bytes");
    const run = await scene.run([
      writing("old.txt", "after"),
      writing("deep/down/new.txt", "fresh"),
      deleting("gone.txt"),
    ]);
    const { changes, count, complete, gaps } = await scene.changes(run);
    expect([count, complete, gaps]).to.deep.equal([5, true, []]);
    expect(await scene.kinds(run)).to.deep.equal([
      "modified old.txt",
      "created deep",
      "created deep/down",
      "created deep/down/new.txt",
      "deleted gone.txt",
    ]);
    expect(changes[4]).to.deep.include({
      runId: run,
      tool: "file_operations",
      operation: "write_file",
      path: scene.at("old.txt"),
      from: null,
      byProgram: false,
      before: { kind: "file", sha256: digest("before"), size: 6, mode: "0640" },
      after: { kind: "file", sha256: digest("after"), size: 5, mode: "0640" },
      state: "done",
      revertible: true,
      reason: null,
      revertedBy: null,
    });
    expect(changes[4]?.id).to.match(/^chg_[0-9a-f]{32}$/);
    expect(changes[0]?.after).to.equal(null);
    expect(changes[1]?.after?.mode).to.equal(
      (statSync(scene.at("deep/down/new.txt")).mode & 0o777).toString(8).padStart(4, "0"),
    );
    const page = await scene.changes(run, "?limit=2&offset=1");
    expect([page.count, page.changes.map(({ id }) => id)]).to.deep.equal([
      5,
      changes.slice(1, 3).map(({ id }) => id),
    ]);
  });

  verifies("changes:recorded", "has nothing of what stays as it is, or fails", async () => {
    scene.put("same.txt", "same");
    mkdirSync(scene.at("there"));
    const failing = fileCall("create_file", { filePath: "same.txt", content: "other" });
    const run = await scene.run([
      writing("same.txt", "same"),
      failing,
      fileCall("create_directory", { dirPath: "there" }),
    ]);
    expect(await scene.changes(run)).to.deep.include({ changes: [], count: 0, complete: true });
    expect((await scene.host.json("GET", "/api/runs/run_none/changes")).status).to.equal(404);
    expect((await scene.host.json("GET", "/api/runs/rev_none/changes")).status).to.equal(404);
    expect((await scene.host.json("POST", "/api/runs/run_none/revert", {})).status).to.equal(404);
    expect(await scene.revert(run)).to.deep.include({
      status: 200,
      success: true,
      revertId: null,
      reverted: [],
    });
  });

  verifies(
    "changes:revert",
    "goes back: bytes, modes, deleted and renamed files, folders that are empty again",
    async () => {
      scene.put("a.txt", "a");
      scene.put("run.sh", "echo");
      chmodSync(scene.at("run.sh"), 0o750);
      scene.put("name.txt", "name");
      const calls = [
        writing("a.txt", "b"),
        writing("a.txt", "c"),
        deleting("run.sh"),
        renaming("name.txt", "moved/name.txt"),
        writing("moved/name.txt", "other"),
        writing("new/x.txt", "x"),
      ];
      const run = await scene.run(calls);
      expect(existsSync(scene.at("run.sh"))).to.equal(false);
      const done = await scene.revert(run);
      expect(done).to.deep.include({ success: true, refused: [], kept: [] });
      expect(readdirSync(scene.folder).toSorted()).to.deep.equal(["a.txt", "name.txt", "run.sh"]);
      expect([scene.read("a.txt"), scene.read("name.txt"), scene.read("run.sh")]).to.deep.equal([
        "a",
        "name",
        "echo",
      ]);
      expect(statSync(scene.at("run.sh")).mode & 0o777).to.equal(0o750);
      expect(
        (await scene.changes(run)).changes.every(
          ({ revertedBy, revertible }) => revertedBy === done.revertId && !revertible,
        ),
      ).to.equal(true);
    },
  );

  verifies("changes:revert", "leaves a folder that holds something else", async () => {
    const run = await scene.run([writing("new/x.txt", "x")]);
    scene.put("new/mine.txt", "mine");
    expect(await scene.revert(run)).to.deep.include({ success: true, kept: [scene.at("new")] });
    expect(readdirSync(scene.at("new"))).to.deep.equal(["mine.txt"]);
  });

  verifies(
    "changes:again",
    "is taken back once; the revert is a change of its own, and is taken back as well",
    async () => {
      scene.put("a.txt", "a");
      const run = await scene.run([writing("a.txt", "b"), deleting("a.txt")]);
      const { revertId } = await scene.revert(run);
      expect(revertId).to.match(/^rev_[0-9a-f]{32}$/);
      const again = await scene.revert(run);
      expect([again.status, again.error?.code]).to.deep.equal([409, "already_reverted"]);
      expect(again.error?.message).to.contain(revertId);
      expect((await scene.changes(revertId ?? "")).changes).to.have.length(1);
      const undone = await scene.revert(revertId ?? "");
      expect(undone.success).to.equal(true);
      expect(existsSync(scene.at("a.txt"))).to.equal(false);
      expect((await scene.changes(run)).changes.map(({ revertedBy }) => revertedBy)).to.deep.equal([
        null,
        null,
      ]);
      expect((await scene.revert(revertId ?? "")).error?.code).to.equal("already_reverted");
      expect((await scene.revert(run)).success).to.equal(true);
      expect(scene.read("a.txt")).to.equal("a");
    },
  );

  verifies("changes:dry-run", "is only told with dryRun", async () => {
    scene.put("a.txt", "a");
    const run = await scene.run([writing("a.txt", "b"), writing("b.txt", "b")]);
    expect(await scene.revert(run, { dryRun: true })).to.deep.include({
      success: true,
      revertId: null,
      reverted: [
        { path: scene.at("b.txt"), action: "removed" },
        { path: scene.at("a.txt"), action: "restored" },
      ],
    });
    expect([scene.read("a.txt"), scene.read("b.txt")]).to.deep.equal(["b", "b"]);
  });

  verifies("changes:some", "goes back in part, by paths or by ids", async () => {
    scene.put("dir/a.txt", "a");
    scene.put("b.txt", "b");
    const run = await scene.run([writing("dir/a.txt", "1"), writing("b.txt", "2"), writing("c.txt", "3")]);
    expect((await scene.revert(run, { paths: [scene.at("dir")] })).reverted).to.deep.equal([
      { path: scene.at("dir/a.txt"), action: "restored" },
    ]);
    const created = (await scene.changes(run)).changes.find(({ path }) => path === scene.at("c.txt"));
    expect((await scene.revert(run, { changeIds: [created?.id] })).success).to.equal(true);
    expect([scene.read("dir/a.txt"), scene.read("b.txt"), existsSync(scene.at("c.txt"))]).to.deep.equal([
      "a",
      "2",
      false,
    ]);
    for (const [body, param] of [
      [{ paths: [scene.at("other.txt")] }, "paths"],
      [{ paths: ["b.txt"] }, "paths"],
      [{ changeIds: ["chg_none"] }, "changeIds"],
      [{ paths: "b.txt" }, "paths"],
      [{ changeIds: [] }, "changeIds"],
    ] as const) {
      const { status, error } = await scene.revert(run, body);
      expect([status, error?.code, error?.param?.replace(/\W.*/, "")]).to.deep.equal([
        400,
        "invalid_value",
        param,
      ]);
    }
    expect((await scene.revert(run)).reverted).to.have.length(1);
    expect(scene.read("b.txt")).to.equal("b");
  });
});
