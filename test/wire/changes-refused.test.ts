import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { temporaryFolder } from "@pergola/sdk/testing";
import { expect } from "chai";
import { deleting, openChanges, renaming, writing, type ChangesScene } from "../support/changes-scene.ts";
import { verifies } from "../support/verifies.ts";

describe("a revert", () => {
  let scene: ChangesScene;
  before(async () => {
    scene = await openChanges();
  });
  beforeEach(() => {
    for (const name of readdirSync(scene.folder)) rmSync(scene.at(name), { recursive: true });
  });
  after(() => scene.end());

  /**
   * Runs, lets somebody do something, and gives the one refusal of the revert, after which nothing may have
   * been touched.
   */
  async function refusal(
    name: string,
    meddle: () => void,
    calls = [writing("a.txt", "b"), writing("other.txt", "o")],
  ) {
    scene.put("a.txt", "a");
    const run = await scene.run(calls);
    meddle();
    const told = await scene.revert(run);
    expect(told).to.deep.include({ status: 200, success: false, revertId: null, reverted: [] });
    expect(told.refused.map((one) => path.relative(scene.folder, one.path))).to.deep.equal([name]);
    expect((await scene.changes(run)).changes.map(({ revertedBy }) => revertedBy)).to.not.include.members([
      told.revertId ?? "rev",
    ]);
    return { run, reason: told.refused[0]?.reason };
  }

  verifies("changes:refused", "refuses a file that was written to since, and touches nothing", async () => {
    const { reason } = await refusal("a.txt", () => scene.put("a.txt", "mine"));
    expect(reason).to.equal("It has changed since.");
    expect([scene.read("a.txt"), scene.read("other.txt")]).to.deep.equal(["mine", "o"]);
  });

  verifies("changes:refused", "does what it can with partial", async () => {
    const { run } = await refusal("a.txt", () => scene.put("a.txt", "mine"));
    const told = await scene.revert(run, { partial: true });
    expect(told).to.deep.include({
      success: false,
      reverted: [{ path: scene.at("other.txt"), action: "removed" }],
    });
    expect(told.refused).to.have.length(1);
    expect([scene.read("a.txt"), existsSync(scene.at("other.txt"))]).to.deep.equal(["mine", false]);
    scene.put("a.txt", "b");
    expect(await scene.revert(run)).to.deep.include({
      success: true,
      reverted: [{ path: scene.at("a.txt"), action: "restored" }],
    });
  });

  verifies(
    "changes:refused",
    "refuses another mode, a missing file, and something in a deleted file's place",
    async () => {
      expect((await refusal("a.txt", () => chmodSync(scene.at("a.txt"), 0o600))).reason).to.equal(
        "It has changed since.",
      );
      expect((await refusal("a.txt", () => rmSync(scene.at("a.txt")))).reason).to.equal("It is gone.");
      const { reason } = await refusal("a.txt", () => scene.put("a.txt", "mine"), [deleting("a.txt")]);
      expect(reason).to.equal("Something else stands there now.");
      expect(scene.read("a.txt")).to.equal("mine");
    },
  );

  verifies("changes:refused", "refuses a rename whose old place is taken", async () => {
    const { reason } = await refusal("b.txt", () => scene.put("a.txt", "mine"), [renaming("a.txt", "b.txt")]);
    expect(reason).to.contain("old place");
    expect([scene.read("a.txt"), scene.read("b.txt")]).to.deep.equal(["mine", "a"]);
  });

  verifies(
    "changes:refused",
    "goes through no link: not at the file's place, and not on the way",
    async () => {
      const outside = temporaryFolder();
      writeFileSync(path.join(outside, "a.txt"), "b");
      const linked = await refusal("a.txt", () => {
        rmSync(scene.at("a.txt"));
        symlinkSync(path.join(outside, "a.txt"), scene.at("a.txt"));
      });
      expect(linked.reason).to.equal("A link stands there now.");
      rmSync(scene.at("a.txt"));
      scene.put("dir/a.txt", "a");
      const run = await scene.run([writing("dir/a.txt", "b")]);
      rmSync(scene.at("dir"), { recursive: true });
      symlinkSync(outside, scene.at("dir"));
      expect((await scene.revert(run)).refused).to.deep.equal([
        { path: scene.at("dir/a.txt"), reason: "A folder on its way is a link now." },
      ]);
      expect([readdirSync(outside), scene.read("dir/a.txt")]).to.deep.equal([["a.txt"], "b"]);
    },
  );

  verifies(
    "changes:refused",
    "names the later run that changed the same file, and goes back step by step",
    async () => {
      scene.put("a.txt", "0");
      const first = await scene.run([writing("a.txt", "1")]);
      const second = await scene.run([writing("a.txt", "2")]);
      expect((await scene.revert(first)).refused).to.deep.equal([
        { path: scene.at("a.txt"), reason: `The run ${second} changed it later; revert that first.` },
      ]);
      expect((await scene.revert(second)).success).to.equal(true);
      expect(scene.read("a.txt")).to.equal("1");
      expect((await scene.revert(first)).success).to.equal(true);
      expect(scene.read("a.txt")).to.equal("0");
    },
  );

  verifies(
    "changes:refused",
    "of an older change alone is refused when the same run went on with the file",
    async () => {
      scene.put("a.txt", "0");
      const run = await scene.run([writing("a.txt", "1"), writing("a.txt", "2")]);
      const { changes } = await scene.changes(run);
      const told = await scene.revert(run, { changeIds: [changes[1]?.id] });
      expect(told.refused[0]?.reason).to.contain(changes[0]?.id);
      expect(scene.read("a.txt")).to.equal("2");
    },
  );

  verifies("changes:refused", "does not lose what somebody wrote between two changes of a run", async () => {
    scene.put("a.txt", "0");
    const first = await scene.run([writing("a.txt", "1")]);
    scene.put("a.txt", "mine");
    const second = await scene.run([writing("a.txt", "2")]);
    expect((await scene.revert(second)).success).to.equal(true);
    expect(scene.read("a.txt")).to.equal("mine");
    expect((await scene.revert(first)).refused[0]?.reason).to.equal("It has changed since.");
  });

  /** Does work while nobody may write to the folder: root, whom no mode stops, is nobody meanwhile. */
  async function withoutPermission<T>(work: () => Promise<T>): Promise<T> {
    const isRoot = process.getuid?.() === 0;
    chmodSync(scene.folder, 0o555);
    if (isRoot) process.seteuid?.(65_534);
    try {
      return await work();
    } finally {
      if (isRoot) process.seteuid?.(0);
      chmodSync(scene.folder, 0o700);
    }
  }

  verifies("changes:refused", "says that it cannot write where the permission was lost", async () => {
    scene.put("a.txt", "a");
    const run = await scene.run([writing("a.txt", "b"), writing("other.txt", "o")]);
    const told = await withoutPermission(() => scene.revert(run));
    expect([told.status, told.success, told.revertId, told.reverted, told.refused.length]).to.deep.equal([
      200,
      false,
      null,
      [],
      2,
    ]);
    for (const { reason } of told.refused) expect(reason).to.contain("is refused by the operating system");
    expect([scene.read("a.txt"), scene.read("other.txt")]).to.deep.equal(["b", "o"]);
    expect((await scene.revert(run)).success).to.equal(true);
  });

  verifies("changes:refused", "leaves what is too large to be kept, and says so in the list", async () => {
    const small = await openChanges({ settings: { "changes.max_file_bytes": 10 } });
    try {
      small.put("a.txt", "x".repeat(11));
      small.put("b.txt", "x".repeat(10));
      const run = await small.run([
        writing("a.txt", "1"),
        writing("b.txt", "2"),
        writing("c.txt", "x".repeat(11)),
        renaming("c.txt", "d.txt"),
      ]);
      const { changes } = await small.changes(run);
      expect(changes.map(({ revertible }) => revertible)).to.deep.equal([true, true, true, false]);
      expect(changes[3]).to.deep.include({
        reason: "It is larger than changes.max_file_bytes, so its content was not kept.",
      });
      expect(changes[3]?.before).to.include({ sha256: null, size: 11 });
      const told = await small.revert(run, { partial: true });
      expect(told.refused.map((one) => path.basename(one.path))).to.include("a.txt");
      expect([small.read("a.txt"), small.read("b.txt")]).to.deep.equal(["1", "x".repeat(10)]);
    } finally {
      await small.end();
    }
  });

  verifies("changes:revert", "puts a renamed folder back with what was changed in it", async () => {
    scene.put("dir/a.txt", "a");
    const run = await scene.run([
      writing("dir/a.txt", "1"),
      renaming("dir", "moved"),
      writing("moved/a.txt", "2"),
      writing("moved/b.txt", "b"),
    ]);
    expect((await scene.revert(run)).success).to.equal(true);
    expect([readdirSync(scene.folder), readdirSync(scene.at("dir")), scene.read("dir/a.txt")]).to.deep.equal([
      ["dir"],
      ["a.txt"],
      "a",
    ]);
  });

  verifies("changes:revert", "leaves what was put back by hand, and counts it as reverted", async () => {
    scene.put("a.txt", "a");
    const run = await scene.run([writing("a.txt", "b")]);
    scene.put("a.txt", "a");
    expect((await scene.revert(run)).success).to.equal(true);
    expect((await scene.changes(run)).changes[0]?.revertedBy).to.match(/^rev_/);
    mkdirSync(scene.at("x"));
    renameSync(scene.at("a.txt"), scene.at("x/a.txt"));
  });
});
