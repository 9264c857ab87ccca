import { expect } from "chai";
import type { ToolError } from "@pergola/sdk";
import { reading, scene, trap, useAll, vectors, writing } from "./attacks.ts";
import { needsGit, repository, shared } from "./bench.ts";

/** Each vector meets one in so many operations, each time others, for a shorter run: 1 for all of them. */
const every = Number(process.env["GIT_OPERATIONS_EVERY"] ?? 3);

describe("version_control, repository config execution", function () {
  this.timeout(60_000);
  before(needsGit);

  const operations = [
    ...reading,
    ...writing,
    ["status", { repository_path: "bare" }],
    ["diff", { repository_path: "bare" }],
  ] as const;
  for (const [number, [vector, plant]] of Object.entries(vectors).entries()) {
    it(`runs nothing by ${vector}`, async () => {
      const { program, mark } = trap();
      const made = scene();
      plant(made, program);
      const chosen = operations.filter((_, index) => (index + number) % every === 0);
      await useAll(made, chosen);
      expect(made.has(mark)).to.equal(false);
    });
  }

  it("sets the traps off with plain git, so that the tests above can fail", () => {
    const fires = (vector: string, ...commands: readonly (readonly string[])[]): boolean => {
      const { program, mark } = trap();
      const made = scene();
      vectors[vector]?.(made, program);
      made.put("a.txt", "changed here\n");
      for (const command of commands) {
        try {
          made.git(...command);
        } catch {
          // The mark tells.
        }
      }
      return made.has(mark);
    };
    const commit = ["commit", "-qam", "m"];
    const fired: Readonly<Record<string, boolean>> = {
      "core.fsmonitor": fires("core.fsmonitor", ["status"]),
      "hooks of the repository": fires("hooks of the repository", commit),
      "hooks of a remote": fires("hooks of a remote on this computer", ["push", "origin", "main"]),
      "diff.*.command": fires("diff.*.command", ["diff"]),
      textconv: fires("textconv", ["diff"]),
      "clean filter": fires("clean filter", commit),
      "filter with = in its name": fires("filter with = in its name", commit),
      "one branch only": fires("filter that holds on one branch only", ["worktree", "add", "tree"]),
      "core.sshCommand": fires("core.sshCommand", ["fetch"]),
      "gpg.program": fires("gpg.program", commit),
      "gpg.ssh.program": fires("gpg.ssh.program", commit),
      "--upload-pack": fires("--upload-pack", ["fetch"]),
      "ext:: by insteadOf": fires("ext:: by insteadOf", ["fetch"]),
      "CVE-2026-28292": fires("CVE-2026-28292: protocol keys in another case", ["fetch"]),
      "alternate refs command": fires("alternate refs command", ["fetch"]),
      "missing objects": fires("fetch of missing objects (partial clone)", ["diff", "HEAD~1", "HEAD"]),
      submodule: fires("configuration inside a submodule", ["status"]),
      "embedded bare repository": fires("embedded bare repository", ["-C", "bare", "status"]),
    };
    expect(Object.entries(fired).filter(([, is]) => !is)).to.deep.equal([]);
  });

  it("a merge goes on without the driver that the repository names", async () => {
    const { put, text, data, others, git: plain } = shared();
    plain("config", "merge.evil.driver", "false");
    put(".git/info/attributes", "* merge=evil\n");
    put("long.txt", "1\n2\n3\n4\n5\n");
    await data("git_commit", { message: "long", files: ["long.txt"] });
    await data("push");
    others.git("pull", "-q");
    others.commit("long.txt", "1\n2\n3\n4\nfive\n");
    put("long.txt", "one\n2\n3\n4\n5\n");
    await data("git_commit", { message: "mine", files: ["long.txt"] });
    await data("pull", { mode: "merge" });
    expect(text("long.txt")).to.equal("one\n2\n3\n4\nfive\n");
  });

  it("does not commit or rewrite without its filter what needs one, and runs it when asked to", async () => {
    const { put, git: plain, data, failure } = repository();
    plain("config", "filter.upper.clean", "tr a-z A-Z");
    put(".gitattributes", "*.secret filter=upper\n");
    put("x.secret", "plain\n");
    expect((await failure("git_commit", { message: "m", files: ["x.secret"] })).code).to.equal("unavailable");
    expect(plain("ls-files").trim()).to.equal("a.txt");
    await data("git_commit", { message: "m", files: ["x.secret", ".gitattributes"], run_hooks: true });
    expect(plain("show", "HEAD:x.secret")).to.equal("PLAIN\n");
    put("a.txt", "changed\n");
    for (const args of [{ action: "save" }, { action: "apply" }])
      expect((await failure("stash", args)).code).to.equal("unavailable");
    expect((await failure("branch", { action: "switch", name: "main" })).code).to.equal("unavailable");
    expect(await data("status")).to.deep.include({ branch: "main" });
  });

  describe("with filters in another commit (T16)", () => {
    const filtered = () => {
      const made = shared();
      made.git("switch", "-qc", "art");
      made.put(".gitattributes", "[attr]big filter=lfs -text\nsub/*.psd big\n");
      made.put(
        "sub/.gitattributes",
        "/deep/**/*.bin filter=lfs\nplain/* -filter\nonly-a-folder/ filter=lfs\n",
      );
      for (const file of ["sub/a.psd", "other/a.psd", "sub/plain/b"]) made.put(file);
      made.git("add", "-A");
      made.git("commit", "-qm", "art");
      return made;
    };
    const code = async (work: Promise<ToolError>) => (await work).code;

    it("T16: does not switch to a branch whose files need a filter", async () => {
      const { git: plain, failure, data, has } = filtered();
      plain("switch", "-q", "main");
      const refused = await failure("branch", { action: "switch", name: "art" });
      expect(refused.code).to.equal("unavailable");
      expect(refused.message).to.contain("sub/a.psd");
      expect(has("sub/a.psd")).to.equal(false);
      expect(await data("status")).to.deep.include({ branch: "main" });
      expect(await code(failure("worktree", { action: "add", path: "art" }))).to.equal("unavailable");
    });

    it("T16: switches to a branch with attributes that none of its files has", async () => {
      const { git: plain, data } = filtered();
      plain("mv", "sub/a.psd", "other/b.psd");
      plain("commit", "-qam", "moved");
      plain("switch", "-q", "main");
      await data("branch", { action: "switch", name: "art" });
      expect(await data("status")).to.deep.include({ branch: "art" });
    });

    it("T16: finds files below a folder with attributes of its own", async () => {
      const { git: plain, put, failure } = filtered();
      plain("rm", "-q", "sub/a.psd");
      put("sub/deep/er/a.bin");
      plain("add", "-A");
      plain("commit", "-qm", "deep");
      plain("switch", "-q", "main");
      const refused = await failure("branch", { action: "switch", name: "art" });
      expect(refused.message).to.contain("sub/deep/er/a.bin");
    });

    it("T16: does not make a branch of a remote's, pull or apply a stash whose files need a filter", async () => {
      const { git: plain, failure, has } = filtered();
      plain("push", "-q", "origin", "art", "art:main");
      plain("reset", "-q", "--hard", "main");
      plain("switch", "-q", "main");
      plain("branch", "-qD", "art");
      expect(await code(failure("branch", { action: "switch", name: "art" }))).to.equal("unavailable");
      expect(await code(failure("pull"))).to.equal("unavailable");
      expect(has("sub/a.psd")).to.equal(false);
    });
  });
});
