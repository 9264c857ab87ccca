import { expect } from "chai";
import { needsGit, operationNamed, shared } from "./bench.ts";

describe("version_control, writing", function () {
  this.timeout(20_000);
  before(needsGit);

  describe("push and pull with a remote on this computer", () => {
    it("pushes the current branch, and says what the remote refuses", async () => {
      const { bare, git, put, data, failure, others } = shared();
      put("b.txt");
      await data("git_commit", { message: "mine", files: ["b.txt"] });
      await data("push");
      expect(git("-C", bare, "log", "-1", "--format=%s", "main").trim()).to.equal("mine");
      others.git("pull", "-q");
      others.commit("c.txt", "x");
      put("d.txt");
      await data("git_commit", { message: "late", files: ["d.txt"] });
      expect((await failure("push")).code).to.equal("conflict");
      await data("push", { force: true, branch: "main" });
      expect(git("-C", bare, "log", "-1", "--format=%s", "main").trim()).to.equal("late");
    });

    it("is an external write, and destructive by force", () => {
      const { effect, place } = operationNamed("push") as unknown as {
        effect: (args: object) => string;
        place: string;
      };
      expect([effect({ force: false }), effect({ force: true }), place]).to.deep.equal([
        "write",
        "destructive",
        "external",
      ]);
    });

    it("pulls forward, and refuses to when both sides have moved", async () => {
      const { put, has, data, failure, others } = shared();
      others.commit("b.txt", "x");
      await data("pull");
      expect(has("b.txt")).to.equal(true);
      others.commit("c.txt", "x");
      put("d.txt");
      await data("git_commit", { message: "mine", files: ["d.txt"] });
      expect((await failure("pull")).code).to.equal("conflict");
      expect(has("c.txt")).to.equal(false);
    });

    for (const [mode, parents] of [
      ["merge", 2],
      ["rebase", 1],
    ] as const) {
      it(`pulls with ${mode} when both sides have moved`, async () => {
        const { git, put, has, data, others } = shared();
        others.commit("c.txt", "x");
        put("d.txt");
        await data("git_commit", { message: "mine", files: ["d.txt"] });
        await data("pull", { mode });
        expect([has("c.txt"), has("d.txt")]).to.deep.equal([true, true]);
        expect(git("log", "-1", "--format=%P").trim().split(" ")).to.have.length(parents);
        expect(await data("status")).to.deep.include({ branch: "main", behind: 0, staged: [], unstaged: [] });
      });
    }

    it("leaves a merge's conflicts to be edited and committed", async () => {
      const { git, put, data, failure, others } = shared();
      others.commit("a.txt", "theirs\n");
      put("a.txt", "mine\n");
      await data("git_commit", { message: "mine", files: ["a.txt"] });
      const error = await failure("pull", { mode: "merge" });
      expect([error.code, error.fields]).to.deep.equal(["conflict", { conflicted: ["a.txt"] }]);
      expect(await data("status")).to.deep.include({ conflicted: ["a.txt"], unstaged: [] });
      expect(await data("get_changed_files", { sourceControlState: ["merge-conflicts"] })).to.deep.include({
        totalFiles: 1,
      });
      expect((await failure("git_commit", { message: "too early" })).code).to.equal("conflict");
      put("a.txt", "both\n");
      await data("git_commit", { message: "joined", files: ["a.txt"] });
      expect(git("log", "-1", "--format=%P").trim().split(" ")).to.have.length(2);
    });

    it("undoes a rebase that meets a conflict", async () => {
      const { git, put, text, data, failure, others } = shared();
      others.commit("a.txt", "theirs\n");
      put("a.txt", "mine\n");
      await data("git_commit", { message: "mine", files: ["a.txt"] });
      expect((await failure("pull", { mode: "rebase" })).fields).to.deep.equal({ conflicted: ["a.txt"] });
      expect(text("a.txt")).to.equal("mine\n");
      expect(await data("status")).to.deep.include({ branch: "main", conflicted: [], unstaged: [] });
      expect(git("log", "-1", "--format=%s").trim()).to.equal("mine");
    });

    it("does not overwrite changes that are not committed, nor files that are ignored", async () => {
      const { put, text, failure, others } = shared();
      others.commit("a.txt", "theirs\n");
      others.commit("kept.log", "theirs\n");
      put("a.txt", "precious\n");
      expect((await failure("pull")).code).to.equal("conflict");
      put("a.txt", "a.txt\n");
      put(".git/info/exclude", "*.log\n");
      put("kept.log", "precious\n");
      expect((await failure("pull")).code).to.equal("conflict");
      expect(text("kept.log")).to.equal("precious\n");
    });

    it("names the remotes there are, and needs a branch where HEAD is on none", async () => {
      const { git, failure } = shared();
      expect((await failure("push", { remote: "upstream" })).hint).to.contain("origin");
      expect((await failure("pull", { branch: "none" })).code).to.equal("not_found");
      git("checkout", "-q", "--detach");
      expect((await failure("push")).code).to.equal("insufficient_params");
      expect((await failure("pull")).code).to.equal("insufficient_params");
    });
  });
});
