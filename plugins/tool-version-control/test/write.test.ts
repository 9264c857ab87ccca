import { chmodSync, rmSync } from "node:fs";
import { expect } from "chai";
import { bench, needsGit, operationNamed, repository } from "./bench.ts";

interface Committed {
  readonly hash: string;
  readonly filesStaged: number;
}

describe("version_control, writing", function () {
  this.timeout(20_000);
  before(needsGit);

  describe("git_commit", () => {
    it("commits what is staged, in the name of the preferences", async () => {
      const { git, put, data } = repository();
      put("b.txt");
      put("loose.txt");
      git("add", "b.txt");
      const { hash, filesStaged, ...rest } = await data<Committed>("git_commit", {
        message: "# Title\n\nBody",
      });
      expect([hash, filesStaged]).to.deep.equal([git("rev-parse", "HEAD").trim(), 1]);
      expect(rest).to.deep.include({ message: "# Title\n\nBody" });
      expect(git("log", "-1", "--format=%an <%ae>|%B").trim()).to.equal(
        "Bea <bea@example.org>|# Title\n\nBody",
      );
      expect(await data("status")).to.deep.include({ staged: [], untracked: ["loose.txt"] });
    });

    it("commits the files named and nothing else: new, changed, deleted, whole folders", async () => {
      const { git, put, data } = repository();
      put("gone.txt");
      put("other.txt");
      git("add", "-A");
      git("commit", "-qm", "more");
      rmSync(`${git("rev-parse", "--show-toplevel").trim()}/gone.txt`);
      put("other.txt", "staged\n");
      git("add", "other.txt");
      put("a.txt", "changed\n");
      put(".gitignore", "*.log\n");
      put("sub/new file.txt");
      put("sub/x.log");
      const files = ["a.txt", "gone.txt", "sub"];
      expect(await data("git_commit", { message: "m", files })).to.deep.include({ filesStaged: 3 });
      expect(git("show", "--format=", "--name-status", "HEAD").trim().split("\n")).to.deep.equal([
        "M\ta.txt",
        "D\tgone.txt",
        "A\tsub/new file.txt",
      ]);
      expect(await data("status")).to.deep.include({ staged: ["other.txt"] });
    });

    it("commits the file named whose removal is staged already", async () => {
      const { git, put, data } = repository();
      put("b.txt");
      git("rm", "-q", "a.txt");
      const files = ["a.txt", "b.txt"];
      expect(await data("git_commit", { message: "m", files })).to.deep.include({ filesStaged: 2 });
      expect(git("show", "--format=", "--name-status", "HEAD").trim()).to.equal("D\ta.txt\nA\tb.txt");
    });

    it("takes strange names for names", async () => {
      const { git, put, data } = repository();
      for (const name of ["*.txt", ":(top)x", "line\nfeed", "x.txt"]) put(name);
      await data("git_commit", { message: "m", files: ["*.txt", ":(top)x", "line\nfeed"] });
      expect(git("show", "--format=", "--name-only", "-z", "HEAD").split("\0")).to.have.members([
        "*.txt",
        ":(top)x",
        "line\nfeed",
        "",
      ]);
    });

    it("makes the first commit", async () => {
      const { git, put, data } = bench();
      git("init", "-q");
      put("x");
      expect(await data("git_commit", { message: "m", files: ["x"] })).to.deep.include({ filesStaged: 1 });
      expect(git("log", "--format=%s").trim()).to.equal("m");
    });

    it("T22: names the files of which nothing can be committed", async () => {
      const { failure, put, git: plain, data, at } = repository();
      put("b.txt");
      for (const files of [["none.txt"], ["b.txt", "none.txt"]]) {
        const missing = await failure("git_commit", { message: "m", files });
        expect(missing.code).to.equal("file_not_found");
        expect(missing.message).to.contain("none.txt");
      }
      expect(plain("status", "--porcelain")).to.equal("?? b.txt\n");
      const unchanged = await failure("git_commit", { message: "m", files: ["a.txt"] });
      expect(unchanged.message).to.contain("a.txt");
      rmSync(at("a.txt"));
      await data("git_commit", { message: "removed", files: ["a.txt"] });
    });

    it("fails when there is nothing to commit, or no message", async () => {
      const { put, failure } = repository();
      put("loose.txt");
      expect((await failure("git_commit", { message: "m" })).code).to.equal("conflict");
      expect((await failure("git_commit", { message: "m", files: ["a.txt"] })).code).to.equal("conflict");
      expect((await failure("git_commit", { message: " \n" })).code).to.equal("invalid_value");
      expect((await failure("git_commit", {})).code).to.equal("missing_required");
    });

    it("tells what to set when nobody is the author", async () => {
      const home = process.env["HOME"];
      process.env["HOME"] = "/nonexistent";
      try {
        const { put, failure } = repository({ preferences: {} });
        put("b.txt");
        const error = await failure("git_commit", { message: "m", files: ["b.txt"] });
        expect([error.code, error.hint.includes("tools.git.user_name")]).to.deep.equal(["unavailable", true]);
      } finally {
        process.env["HOME"] = home;
      }
    });

    it("A28: runs hooks only when asked to, and is then an execution", async () => {
      const { put, has, at, data, failure } = repository();
      const { effect } = operationNamed("git_commit") as unknown as { effect: (args: object) => string };
      expect([effect({ run_hooks: false }), effect({ run_hooks: true })]).to.deep.equal(["write", "execute"]);
      put(".git/hooks/pre-commit", "#!/bin/sh\ntouch ran\n");
      chmodSync(at(".git/hooks/pre-commit"), 0o755);
      put("b.txt");
      await data("git_commit", { message: "m", files: ["b.txt"] });
      expect(has("ran")).to.equal(false);
      put("c.txt");
      await data("git_commit", { message: "m", files: ["c.txt"], run_hooks: true });
      expect(has("ran")).to.equal(true);
      put(".git/hooks/pre-commit", "#!/bin/sh\necho not like this >&2\nexit 1\n");
      put("d.txt");
      expect(
        (await failure("git_commit", { message: "m", files: ["d.txt"], run_hooks: true })).message,
      ).to.contain("not like this");
    });

    it("says after a crash whether it happened", async () => {
      const { put, data, context } = repository();
      const args = { repository_path: ".", message: "m", files: ["b.txt"], run_hooks: false };
      const reconcile = async () => operationNamed("git_commit").reconcile?.(args as never, context);
      put("b.txt");
      expect(await reconcile()).to.equal("did_not_happen");
      await data("git_commit", args);
      expect(await reconcile()).to.equal("happened");
      put("b.txt", "again\n");
      expect(await reconcile()).to.equal("unknown");
    });
  });

  it("branch creates, lists, switches and deletes", async () => {
    const { git, put, text, data, failure } = repository();
    await data("branch", { action: "create", name: "feature/x" });
    await data("branch", { action: "switch", name: "feature/x" });
    expect(await data("status")).to.deep.include({ branch: "feature/x" });
    put("b.txt");
    await data("git_commit", { message: "only here", files: ["b.txt"] });
    expect(await data("branch")).to.match(
      /^\* feature\/x [0-9a-f]{7,} only here\n {2}main [0-9a-f]{7,} first$/,
    );
    expect((await failure("branch", { action: "create", name: "main" })).code).to.equal("conflict");
    expect((await failure("branch", { action: "switch", name: "none" })).code).to.equal("not_found");
    expect((await failure("branch", { action: "create" })).code).to.equal("missing_required");
    expect((await failure("branch", { action: "save", name: "x" })).code).to.equal("invalid_value");
    await data("branch", { action: "switch", name: "main" });
    put("b.txt", "in the way\n");
    expect((await failure("branch", { action: "switch", name: "feature/x" })).code).to.equal("conflict");
    expect(text("b.txt")).to.equal("in the way\n");
    expect(await data("branch", { action: "delete", name: "feature/x" })).to.match(/was [0-9a-f]{7,}/);
    expect(git("branch", "--format=%(refname:short)").trim()).to.equal("main");
  });

  it("stash saves, lists, applies, drops and clears", async () => {
    const { put, text, data, failure } = repository();
    put("a.txt", "half\n");
    await data("stash", { action: "save", message: "half done" });
    expect(text("a.txt")).to.equal("a.txt\n");
    expect(await data("stash")).to.equal("stash@{0}: On main: half done");
    await data("stash", { action: "apply" });
    expect(text("a.txt")).to.equal("half\n");
    expect((await failure("stash", { action: "apply" })).code).to.equal("conflict");
    await data("stash", { action: "drop" });
    expect((await failure("stash", { action: "drop", index: 3 })).code).to.equal("not_found");
    await data("stash", { action: "save" });
    await data("stash", { action: "clear" });
    expect(await data("stash")).to.equal("");
  });

  it("stash names the conflicts it meets, and is kept", async () => {
    const { put, data, failure } = repository();
    put("a.txt", "stashed\n");
    await data("stash", { action: "save" });
    put("a.txt", "committed\n");
    await data("git_commit", { message: "m", files: ["a.txt"] });
    expect((await failure("stash", { action: "apply" })).fields).to.deep.equal({ conflicted: ["a.txt"] });
    expect(await data("stash")).to.contain("stash@{0}");
  });

  it("tag creates plain and annotated ones, lists and deletes", async () => {
    const { git, data, failure } = repository();
    await data("tag", { action: "create", name: "v1" });
    await data("tag", { action: "create", name: "v2", message: "Second", ref: "main" });
    expect(git("cat-file", "-t", "v2").trim()).to.equal("tag");
    expect(await data("tag")).to.match(/^v1 [0-9a-f]{7,} first\nv2 [0-9a-f]{7,} Second$/);
    expect((await failure("tag", { action: "create", name: "v1" })).code).to.equal("conflict");
    expect((await failure("tag", { action: "create", name: "v3", ref: "none" })).code).to.equal("not_found");
    await data("tag", { action: "delete", name: "v1" });
    expect(git("tag").trim()).to.equal("v2");
  });

  it("worktree adds, lists and removes, but not what has changes", async () => {
    const { at, put, text, has, data, failure } = repository();
    await data("worktree", { action: "add", path: "trees/fix" });
    expect(text("trees/fix/a.txt")).to.equal("a.txt\n");
    expect(await data("status", { repository_path: "trees/fix" })).to.deep.include({
      branch: "fix",
      unstaged: [],
      staged: [],
    });
    const trees = await data<{ path: string; branch: string }[]>("worktree");
    expect(trees.map(({ path, branch }) => [path, branch])).to.deep.equal([
      [at(""), "main"].map((text) => text.replace(/\/$/, "")),
      [at("trees/fix"), "fix"],
    ]);
    put("trees/fix/a.txt", "changed\n");
    expect((await failure("worktree", { action: "remove", path: "trees/fix" })).code).to.equal("conflict");
    put("trees/fix/a.txt", "a.txt\n");
    await data("worktree", { action: "remove", path: "trees/fix" });
    expect(has("trees/fix")).to.equal(false);
    put("plain/x");
    expect((await failure("worktree", { action: "remove", path: "plain" })).code).to.equal("not_found");
    expect((await failure("worktree", { action: "add" })).code).to.equal("missing_required");
    expect((await failure("worktree", { action: "add", path: "/pergola-test-tree" })).code).to.equal(
      "permission_denied",
    );
  });
});
