import { mkdirSync, utimesSync } from "node:fs";
import { expect } from "chai";
import { bench, needsGit, repository, shared } from "./bench.ts";

const strange = [
  "with space.txt",
  "line\nfeed.txt",
  "tab\there.txt",
  "üñí🙂.txt",
  'quo"te.txt',
  "-dash.txt",
  ":(top)x",
  "a -> b",
  "*.txt",
];

describe("version_control, reading", function () {
  this.timeout(20_000);
  before(needsGit);

  describe("status", () => {
    it("tells staged, unstaged, untracked and conflicted apart", async () => {
      const { git, put, data } = repository();
      put("both.txt");
      put("gone.txt");
      git("add", "-A");
      git("commit", "-qm", "more");
      put("both.txt", "1\n");
      git("add", "both.txt");
      put("both.txt", "2\n");
      git("rm", "-q", "--cached", "gone.txt");
      put("new/x.txt");
      expect(await data("status")).to.deep.equal({
        branch: "main",
        ahead: 0,
        behind: 0,
        staged: ["both.txt", "gone.txt"],
        unstaged: ["both.txt"],
        untracked: ["gone.txt", "new/"],
        conflicted: [],
      });
    });

    it("gives names exactly, whatever is in them", async () => {
      const { git, put, data } = repository();
      for (const name of strange) put(name);
      expect((await data<{ untracked: string[] }>("status")).untracked).to.have.members(strange);
      git("add", "-A");
      expect((await data<{ staged: string[] }>("status")).staged).to.have.members(strange);
    });

    it("gives a renamed file under its new name", async () => {
      const { git, data } = repository();
      git("mv", "a.txt", "b c.txt");
      expect(await data("status")).to.deep.include({ staged: ["b c.txt"], unstaged: [], untracked: [] });
      expect(await data("get_changed_files")).to.deep.include({
        files: [{ path: "b c.txt", status: "renamed", staged: true }],
      });
    });

    it("counts commits ahead and behind", async () => {
      const { git, put, data, others } = shared();
      others.commit("theirs.txt", "x");
      for (const name of ["1", "2"]) {
        put(name);
        git("add", "-A");
        git("commit", "-qm", name);
      }
      git("fetch", "-q");
      expect(await data("status")).to.deep.include({ branch: "main", ahead: 2, behind: 1 });
    });

    it("knows an unborn branch and a detached HEAD", async () => {
      const unborn = bench();
      unborn.git("init", "-q", "-b", "trunk");
      unborn.put("x");
      expect(await unborn.data("status")).to.deep.include({ branch: "trunk", untracked: ["x"] });
      const { git, run } = repository();
      git("checkout", "-q", "--detach");
      const { data, message } = await run("status");
      expect(data).to.deep.include({ branch: null });
      expect(message).to.contain("HEAD is detached");
    });

    it("finds the repository from a folder in it", async () => {
      const { put, data } = repository();
      put("deep/er/x");
      expect(await data("status", { repository_path: "deep/er" })).to.deep.include({
        branch: "main",
        untracked: ["deep/"],
      });
    });
  });

  it("get_changed_files lists each change, and only the states asked for", async () => {
    const { git, put, root, data } = repository();
    put("a.txt", "changed\n");
    put("new/x.txt");
    put("s.txt");
    git("add", "s.txt");
    const staged = { path: "s.txt", status: "added", staged: true };
    const files = [
      { path: "a.txt", status: "modified", staged: false },
      staged,
      { path: "new/x.txt", status: "untracked", staged: false },
    ];
    expect(await data("get_changed_files")).to.deep.equal({
      files,
      repository: root,
      branch: "main",
      totalFiles: 3,
    });
    expect(await data("get_changed_files", { sourceControlState: ["staged"] })).to.deep.include({
      files: [staged],
      totalFiles: 1,
    });
  });

  describe("log", () => {
    it("T21: ends moments in UTC with Z", async () => {
      const { data, git: plain, put } = repository();
      put("b.txt");
      plain("add", "-A");
      plain("commit", "-qm", "utc", "--date=2026-01-31T10:30:00Z");
      plain("commit", "-qm", "zone", "--allow-empty", "--date=2026-01-31T10:30:00+02:00");
      const commits = await data<Record<string, string>[]>("log", { limit: 2 });
      expect(commits.map(({ date }) => date)).to.deep.equal([
        "2026-01-31T10:30:00+02:00",
        "2026-01-31T10:30:00Z",
      ]);
    });

    it("gives hash, author, date and subject, newest first", async () => {
      const { git, put, data } = repository();
      put("b.txt");
      git("add", "-A");
      git(
        "commit",
        "-qm",
        "second | subject\n\nbody",
        "--author=Bob <b@x>",
        "--date=2026-01-31T10:00:00+01:00",
      );
      const commits = await data<Record<string, string>[]>("log");
      expect(commits.map(({ author, subject }) => [author, subject])).to.deep.equal([
        ["Bob", "second | subject"],
        ["Ada", "first"],
      ]);
      expect(commits[0]).to.deep.include({
        hash: git("rev-parse", "HEAD").trim(),
        date: "2026-01-31T10:00:00+01:00",
      });
      expect(await data<unknown[]>("log", { limit: 1 })).to.have.length(1);
      expect(await data<unknown[]>("log", { file: "a.txt" })).to.have.length(1);
      expect(await data<unknown[]>("log", { author: "Bob" })).to.have.length(1);
      expect(await data<unknown[]>("log", { author: "B.b" })).to.have.length(0);
      expect(await data<unknown[]>("log", { since: "2026-01-01" })).to.have.length(2);
      expect(await data<unknown[]>("log", { since: "2026-01-03" })).to.have.length(0);
    });

    it("is empty before the first commit", async () => {
      const { git, data } = bench();
      git("init", "-q");
      expect(await data("log")).to.deep.equal([]);
    });
  });

  describe("diff", () => {
    it("compares working tree, one commit and two", async () => {
      const { git, put, data } = repository();
      put("a.txt", "second\n");
      git("commit", "-qam", "second");
      put("a.txt", "third\n");
      expect(await data("diff")).to.contain("-second\n+third");
      expect(await data("diff", { ref1: "HEAD~1" })).to.contain("-a.txt\n+third");
      expect(await data("diff", { ref1: "HEAD~1", ref2: "main" })).to.contain("-a.txt\n+second");
      git("add", "-A");
      expect(await data("diff")).to.equal("");
    });

    it("takes a file by its very name, relative to the working directory or to the repository", async () => {
      const { put, data } = repository();
      for (const name of strange.slice(0, 4)) put(`sub/${name}`, "");
      const inner = bench();
      inner.git("init", "-q", "proj");
      inner.put("proj/x [1].txt", "");
      inner.put("proj/x 1.txt", "");
      inner.git("-C", "proj", "add", "-A");
      inner.put("proj/x [1].txt", "one\n");
      inner.put("proj/x 1.txt", "other\n");
      for (const file of ["proj/x [1].txt", "x [1].txt", inner.at("proj/x [1].txt")])
        expect(await inner.data("diff", { repository_path: "proj", file }))
          .to.contain("+one")
          .and.not.contain("other");
      expect(await data("diff", { file: "a.txt" })).to.equal("");
    });

    it("says which refs it needs, and which it does not know", async () => {
      const { failure } = repository();
      expect((await failure("diff", { ref2: "main" })).code).to.equal("insufficient_params");
      expect((await failure("diff", { ref1: "nowhere" })).code).to.equal("not_found");
    });
  });

  it("blame names the author of each line", async () => {
    const { git, put, data } = repository();
    put("a.txt", "a.txt\nsecond\n");
    git("commit", "-qam", "second", "--author=Bob <b@x>");
    put("a.txt", "a.txt\nsecond\n\tthird\n");
    const lines = await data<Record<string, unknown>[]>("blame", { file: "a.txt" });
    expect(lines.map(({ line, author, text }) => [line, author, text])).to.deep.equal([
      [1, "Ada", "a.txt"],
      [2, "Bob", "second"],
      [3, "Not Committed Yet", "\tthird"],
    ]);
    expect(lines[1]?.["hash"]).to.equal(git("rev-parse", "HEAD").trim());
  });

  for (const operation of [
    "status",
    "log",
    "diff",
    "push",
    "pull",
    "branch",
    "stash",
    "tag",
    "worktree",
    "get_changed_files",
  ]) {
    it(`${operation} fails with not_found outside a repository`, async () => {
      expect((await bench().failure(operation)).code).to.equal("not_found");
    });
  }

  it("fails for a folder that is missing, and looks no further up than the working directory", async () => {
    const { root, failure } = repository();
    expect((await failure("status", { repository_path: "none" })).code).to.equal("file_not_found");
    mkdirSync(`${root}/inner`);
    expect((await bench({ workingDirectory: `${root}/inner` }).failure("status")).code).to.equal("not_found");
    const named = bench({ workingDirectory: `${root}/inner`, allowed: [root] });
    expect(await named.data("status", { repository_path: root })).to.deep.include({ branch: "main" });
  });

  it("reads without writing, not even the index", async () => {
    const { git, put, data, text, at } = repository();
    put("a.txt", "a.txt\n");
    git("config", "core.trustctime", "true");
    // The same content under another time: git would note that, were it not kept from it.
    utimesSync(at("a.txt"), 1_700_000_000, 1_700_000_000);
    const before = text(".git/index");
    await data("status");
    await data("diff");
    expect(text(".git/index")).to.equal(before);
  });
});
