import { expect } from "chai";
import { temporaryFolder, toolContext } from "@pergola/sdk/testing";
import { findGit } from "../git/find-git.ts";
import { openRepository } from "../git/open-repository.ts";
import { versionControl } from "../index.ts";
import { needsGit, operationNamed, repository, shared } from "./bench.ts";

const { operations } = versionControl;
const advertised = operations.filter(({ hidden }) => hidden !== true);

describe("version_control", function () {
  this.timeout(30_000);
  before(needsGit);

  it("T11: has an operation behind every bare name and every other name", () => {
    const bare = [
      "git",
      "git_status",
      "git_log",
      "git_diff",
      "git_commit",
      "git_push",
      "git_pull",
      "git_branch",
      "git_stash",
      "git_tag",
      "get_changed_files",
    ];
    expect(Object.keys(versionControl.aliases ?? {})).to.have.members(bare);
    for (const [alias, name] of Object.entries(versionControl.aliases ?? {}))
      expect(operationNamed(name).name, alias).to.equal(name);
    expect(versionControl.aliases?.["git"]).to.equal("status");
    expect(operationNamed("commit").name).to.equal("git_commit");
    for (const { name } of operations)
      expect(operationNamed(name === "git_commit" ? name : `git_${name}`).name).to.equal(name);
  });

  it("T01: runs every operation", async () => {
    const calls: Readonly<Record<string, readonly [args: Readonly<Record<string, unknown>>, shape: string]>> =
      {
        status: [{}, "object"],
        log: [{}, "array"],
        diff: [{}, "string"],
        git_commit: [{ message: "m", files: ["b.txt"] }, "object"],
        push: [{}, "string"],
        pull: [{}, "string"],
        branch: [{}, "string"],
        stash: [{}, "string"],
        tag: [{}, "string"],
        blame: [{ file: "a.txt" }, "array"],
        worktree: [{}, "array"],
        get_changed_files: [{}, "object"],
      };
    expect(Object.keys(calls)).to.have.members(operations.map(({ name }) => name));
    const { put, data } = shared();
    put("b.txt");
    for (const [name, [args, shape]] of Object.entries(calls))
      expect(await data(name, args), name).to.be.a(shape);
  });

  it("A10: marks every path for the policy", () => {
    const isPath = /^(repository_path|repositoryPath|file|files|path)$/;
    for (const { name, parameters } of operations) {
      for (const [key, schema] of Object.entries(parameters))
        expect((schema.items?.format ?? schema.format) === "path", `${name}.${key}`).to.equal(
          isPath.test(key),
        );
    }
  });

  it("has the effects of the interface", () => {
    const effectOf = (name: string, args: object): unknown => {
      const { effect } = operationNamed(name);
      return typeof effect === "function" ? effect(args as never) : effect;
    };
    for (const name of ["status", "log", "diff", "blame", "get_changed_files"])
      expect(effectOf(name, {}), name).to.equal("read");
    const table = { list: "read", create: "write", switch: "write", delete: "destructive", save: "write", apply: "write", drop: "destructive", clear: "destructive", add: "write", remove: "destructive" }; // prettier-ignore
    const actions = { branch: ["list", "create", "switch", "delete"], stash: ["list", "save", "apply", "drop", "clear"], tag: ["list", "create", "delete"], worktree: ["list", "add", "remove"] }; // prettier-ignore
    for (const [name, list] of Object.entries(actions))
      for (const action of list)
        expect(effectOf(name, { action }), `${name} ${action}`).to.equal(table[action as keyof typeof table]);
    expect([effectOf("pull", {}), operationNamed("pull").place]).to.deep.equal(["write", "paths"]);
  });

  it("says of everything that writes what may happen after a crash", () => {
    for (const { name, effect, recovery, reconcile } of operations) {
      expect(recovery !== undefined, name).to.equal(effect !== "read");
      expect(reconcile !== undefined, name).to.equal(recovery === "reconcile");
    }
  });

  it("gives examples whose values stand in the phrase, and a card for each", () => {
    for (const { name, examples = [], parameters, required, display } of advertised) {
      expect(examples.length, name).to.be.at.least(2);
      for (const { say, arguments: args } of examples) {
        expect(Object.keys(args).filter((key) => parameters[key] === undefined)).to.deep.equal([]);
        expect(required.filter((key) => args[key] === undefined)).to.deep.equal([]);
        const spoken = Object.entries(args).flatMap(([key, value]) => (key === "action" ? [] : value));
        const unsaid = spoken.filter((value) => typeof value === "string" && !say.includes(value));
        expect(unsaid).to.deep.equal([]);
        expect(display?.(args as never)?.summary, name).to.be.a("string");
      }
    }
  });

  it("T33: says what is missing where there is no git", () => {
    expect(findGit(process.env["PATH"])).to.equal(undefined);
    expect(findGit(temporaryFolder())?.remedy).to.contain("Install git");
    expect(findGit("")).to.have.property("reason");
  });

  it("does not work with a git that ignores the overrides", async () => {
    const { root } = repository();
    const old = toolContext({ workingDirectory: root });
    const spawn: typeof old.spawn = (program, args, options) => {
      const { GIT_CONFIG_COUNT: _, ...env } = options?.env ?? {};
      return old.spawn(program, args, { ...options, env });
    };
    const error: unknown = await openRepository({ ...old, spawn }, ".").catch((reason: unknown) => reason);
    expect(error).to.have.property("code", "unavailable");
  });

  it("names no folder of this computer in an error", async () => {
    const { put, root, failure } = repository();
    put("a.txt", "changed");
    put(".git/index.lock", "");
    const error = await failure("git_commit", { message: "m", files: ["a.txt"] });
    expect([error.code, error.message.includes(root)]).to.deep.equal(["conflict", false]);
  });

  it("stops at once when the call is cancelled", async () => {
    const { root } = repository();
    const controller = new AbortController();
    controller.abort();
    const context = toolContext({ workingDirectory: root, signal: controller.signal });
    const error: unknown = await openRepository(context, ".").catch((reason: unknown) => reason);
    expect(error).to.have.property("code", "cancelled");
  });
});
