import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { expect } from "chai";
import { commanding, openChanges, writing, type ChangesScene } from "../support/changes-scene.ts";
import { execute } from "../support/tool-scene.ts";
import { verifies } from "../support/verifies.ts";

const switched = { service_config: { enable_terminal_access: true } };

describe("what programs change in files", () => {
  let scene: ChangesScene | undefined;
  const open = async (settings = {}): Promise<ChangesScene> => (scene = await openChanges({ settings }));
  afterEach(async () => {
    await scene?.end();
    scene = undefined;
  });

  verifies("changes:programs", "is found by looking before and after, and taken back", async () => {
    const { put, run, kinds, changes, revert, at, read, folder } = await open();
    put("a.txt", "a");
    put("same.txt", "same");
    put("gone/deep.txt", "deep");
    put("run.sh", "echo");
    const id = await run(
      [
        commanding(
          "printf b > a.txt; rm -r gone; mkdir -p new/sub; printf x > new/sub/x.txt; chmod +x run.sh; touch same.txt",
        ),
      ],
      switched,
    );
    expect(read("a.txt")).to.equal("b");
    expect(await kinds(id)).to.deep.equal([
      "deleted gone/deep.txt",
      "deleted gone",
      "modified a.txt",
      "modified run.sh",
      "created new",
      "created new/sub",
      "created new/sub/x.txt",
    ]);
    const page = await changes(id);
    expect(page).to.include({ complete: true });
    expect(
      page.changes.every((one) => one.byProgram && one.revertible && one.tool === "terminal_operations"),
    ).to.equal(true);
    expect(await revert(id)).to.deep.include({ success: true, refused: [], kept: [] });
    expect(readdirSync(folder).toSorted()).to.deep.equal(["a.txt", "gone", "run.sh", "same.txt"]);
    expect([read("a.txt"), read("gone/deep.txt"), statSync(at("run.sh")).mode & 0o111]).to.deep.equal([
      "a",
      "deep",
      0,
    ]);
  });

  verifies(
    "changes:programs",
    "is told apart from what the run's other calls did, and goes back with it",
    async () => {
      const { put, run, kinds, revert, read, at } = await open();
      put("a.txt", "0");
      const id = await run(
        [
          writing("a.txt", "1"),
          commanding("printf 2 > a.txt"),
          writing("a.txt", "3"),
          commanding("cat a.txt > b.txt"),
        ],
        switched,
      );
      expect(await kinds(id)).to.deep.equal([
        "modified a.txt",
        "modified a.txt",
        "modified a.txt",
        "created b.txt",
      ]);
      expect((await revert(id)).success).to.equal(true);
      expect([read("a.txt"), existsSync(at("b.txt"))]).to.deep.equal(["0", false]);
    },
  );

  verifies("changes:programs", "leaves out .git and node_modules, and follows no links", async () => {
    // A sandbox forbids all of it but the link.
    const { put, run, kinds, at, host } = await open({ "sandbox.programs": "none" });
    put(".git/config", "g");
    put("node_modules/x/index.js", "m");
    symlinkSync(host.dataDirectory, at("link"));
    const id = await run(
      [
        commanding(
          "printf 1 > .git/config; printf 1 > node_modules/x/index.js; printf 1 > link/hello; ln -s a made",
        ),
      ],
      switched,
    );
    expect(readFileSync(`${host.dataDirectory}/hello`, "utf8")).to.equal("1");
    expect(await kinds(id)).to.deep.equal(["created made"]);
  });

  verifies(
    "changes:programs",
    "is found for git, which changes files beside a write",
    async function (this: Mocha.Context) {
      if (spawnSync("git", ["--version"]).status !== 0) return this.skip();
      const { put, run, kinds, revert, read, folder } = await open();
      const git = (...args: readonly string[]) => spawnSync("git", args, { cwd: folder });
      put("a.txt", "one");
      for (const line of [
        "init -q",
        "config user.name a",
        "config user.email a@b",
        "add .",
        "commit -qm one",
      ])
        git(...line.split(" "));
      put("a.txt", "two");
      const id = await run([{ name: "version_control", arguments: { operation: "stash", action: "save" } }]);
      expect(read("a.txt")).to.equal("one");
      expect(await kinds(id)).to.deep.equal(["modified a.txt"]);
      expect((await revert(id)).success).to.equal(true);
      expect(read("a.txt")).to.equal("two");
    },
  );

  verifies(
    "changes:programs",
    "is not complete beyond the bounds, and says so; nothing that is not sure is listed",
    async () => {
      const { put, run, changes, kinds } = await open({ "changes.max_files": 20 });
      for (let index = 0; index < 10; index++) put(`a${index}.txt`, "a");
      for (let index = 0; index < 20; index++) put(`sub/b${index}.txt`, "b");
      const id = await run([commanding("printf 1 > a5.txt; printf 1 > new.txt; rm sub/*")], switched);
      const { complete, gaps } = await changes(id);
      expect(complete).to.equal(false);
      expect(gaps[0]?.reason).to.contain("changes.max_files");
      expect(await kinds(id))
        .to.include("modified a5.txt")
        .and.to.include("created new.txt");
    },
  );

  verifies(
    "changes:programs",
    "of a file whose content could not be kept is listed, and not taken back",
    async () => {
      const { put, run, changes, revert, read } = await open({ "changes.max_file_bytes": 4 });
      put("large.txt", "large");
      put("a.txt", "a");
      const id = await run([commanding("printf x > large.txt; printf b > a.txt")], switched);
      const large = (await changes(id)).changes.find(({ path }) => path.endsWith("large.txt"));
      expect(large).to.include({ kind: "modified", revertible: false });
      expect(large?.reason).to.contain("changes.max_file_bytes");
      expect((await revert(id)).success).to.equal(false);
      expect((await revert(id, { partial: true })).reverted).to.have.length(1);
      expect([read("a.txt"), read("large.txt")]).to.deep.equal(["a", "x"]);
    },
  );

  verifies(
    "changes:programs",
    "stays unseen when programs are not watched, and nothing is recorded when nothing is to be kept",
    async () => {
      const watchless = await open({ "changes.programs": false });
      const { run, kinds } = watchless;
      expect(
        await kinds(await run([commanding("printf 1 > a.txt"), writing("b.txt", "b")], switched)),
      ).to.deep.equal(["created b.txt"]);
      await watchless.end();
      const off = await open({ "changes.retention_days": 0 });
      expect(await off.kinds(await off.run([writing("b.txt", "b")]))).to.deep.equal([]);
      expect(off.read("b.txt")).to.equal("b");
    },
  );

  verifies("changes:programs", "of two calls at once in one folder is not said to be complete", async () => {
    const stage = await open();
    const call = async (command: string): Promise<string> => {
      const { arguments: args, name } = commanding(command);
      const made = await execute(stage, name, args, {
        workingDirectory: stage.folder,
        isUserInitiated: true,
      });
      return (made as unknown as { readonly executionId: string }).executionId;
    };
    const ids = await Promise.all([call("sleep 0.5; printf 1 > a.txt"), call("sleep 0.5; printf 1 > b.txt")]);
    const lists = await Promise.all(ids.map((id) => stage.changes(id)));
    expect(readdirSync(stage.folder)).to.have.length(2);
    expect(lists.map(({ complete }) => complete)).to.deep.equal([false, false]);
    expect((await stage.changes(await call("true"))).complete).to.equal(undefined);
  });

  verifies("changes:programs", "costs nothing for calls that only look", async () => {
    const stage = await open();
    stage.put("a.txt", "a");
    mkdirSync(stage.at("locked"));
    chmodSync(stage.at("locked"), 0o000);
    const args = { operation: "read_file", filePath: "a.txt" };
    expect(
      (await execute(stage, "file_operations", args, { workingDirectory: stage.folder })).success,
    ).to.equal(true);
    expect(existsSync(`${stage.host.dataDirectory}/changes`)).to.equal(false);
    await stage.run([commanding("true")], switched);
    expect(readdirSync(`${stage.host.dataDirectory}/changes/contents`)).to.have.length(1);
    expect(statSync(`${stage.host.dataDirectory}/changes/contents`).mode & 0o777).to.equal(0o700);
    expect(readdirSync(`${stage.host.dataDirectory}/changes/calls`)).to.deep.equal([]);
    chmodSync(stage.at("locked"), 0o700);
  });
});
