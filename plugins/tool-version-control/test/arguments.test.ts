import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { requireName } from "../git/names.ts";
import { bench, git, needsGit, repository, shared } from "./bench.ts";

/** A folder outside the working directory with a repository in it that holds a secret. */
function elsewhere(): string {
  const folder = temporaryFolder();
  git(folder, "init", "-q", "-b", "main");
  writeFileSync(path.join(folder, "secret.txt"), "secret\n");
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", "secret commit");
  return folder;
}

describe("version_control, hostile arguments", function () {
  this.timeout(20_000);
  before(needsGit);

  const target = path.join(temporaryFolder(), "written");
  for (const [operation, args] of [
    ["diff", { ref1: `--output=${target}` }],
    ["diff", { ref1: "HEAD", ref2: `--output=${target}` }],
    ["diff", { file: `--output=${target}` }],
    ["log", { file: `--output=${target}` }],
    ["blame", { file: "--contents=/etc/hostname" }],
    ["git_commit", { message: "m", files: ["--pathspec-from-file=/etc/hostname"] }],
    ["push", { remote: "--receive-pack=touch ran" }],
    ["push", { branch: "--all" }],
    ["pull", { remote: "--upload-pack=touch ran" }],
    ["pull", { branch: "--upload-pack=touch ran" }],
    ["branch", { action: "create", name: "--edit-description" }],
    ["branch", { action: "switch", name: "-" }],
    ["branch", { action: "delete", name: "-r" }],
    ["tag", { action: "create", name: "-F/etc/hostname" }],
    ["tag", { action: "create", name: "v1", ref: `--output=${target}` }],
    ["tag", { action: "delete", name: "--all" }],
    ["worktree", { action: "add", path: "--force" }],
  ] as const) {
    it(`CVE-2025-68144, A29: ${operation} refuses ${JSON.stringify(args)}`, async () => {
      const { failure, has, put, git: plain } = shared();
      put("b.txt");
      plain("add", "b.txt");
      expect((await failure(operation, args)).code).to.equal("invalid_value");
      expect([has("ran"), has(target)]).to.deep.equal([false, false]);
    });
  }

  it("A29: takes a leading - in an author or a time for text", async () => {
    const { data, has } = repository();
    await data("log", { author: "--output=ran", since: "--output=ran" });
    expect(has("ran")).to.equal(false);
  });

  it("CVE-2025-68143: does not take a folder that is no repository, nor make one", async () => {
    const { put, has, failure } = bench();
    put(".ssh/id", "key");
    expect((await failure("status", { repository_path: ".ssh" })).code).to.equal("not_found");
    expect(has(".ssh/.git")).to.equal(false);
  });

  it("CVE-2025-68145, GHSA-j22h-9j4x-23w5: reaches a repository outside only when the call was let there", async () => {
    const other = elsewhere();
    const { root, failure } = bench();
    symlinkSync(other, path.join(root, "link"));
    for (const folder of [other, "link"])
      expect((await failure("log", { repository_path: folder })).code).to.equal("permission_denied");
    expect((await failure("log", { repository_path: path.relative(root, other) })).code).to.equal(
      "path_escape",
    );
    expect(
      await bench({ allowed: [other] }).data<unknown[]>("log", { repository_path: other }),
    ).to.have.length(1);
  });

  it("CVE-2026-27735: commits no file from outside the repository", async () => {
    const outside = temporaryFolder();
    writeFileSync(path.join(outside, "secret"), "secret");
    const { root, git: plain, put, failure } = repository();
    symlinkSync(outside, path.join(root, "link"));
    put("sub/x");
    for (const [file, code] of [
      [`../${path.basename(outside)}/secret`, "path_escape"],
      [path.join(outside, "secret"), "permission_denied"],
      ["link/secret", "permission_denied"],
    ] as const)
      expect((await failure("git_commit", { message: "m", files: [file] })).code, file).to.equal(code);
    expect(plain("ls-files").trim()).to.equal("a.txt");
  });

  it("CVE-2026-27735: commits nothing of a folder that nobody may read", async () => {
    const root = temporaryFolder();
    const {
      git: plain,
      put,
      failure,
    } = repository({ workingDirectory: root, dataDirectory: path.join(root, "data") });
    put("data/tokens.json", "secret");
    expect((await failure("git_commit", { message: "m", files: ["."] })).code).to.equal("permission_denied");
    expect(plain("ls-files").trim()).to.equal("a.txt");
  });

  describe("GHSA-w766-5x43-whvw: shows no other repository", () => {
    for (const [how, plant] of [
      [
        "a .git file",
        (root: string, other: string) =>
          writeFileSync(path.join(root, "sub/.git"), `gitdir: ${other}/.git\n`),
      ],
      [
        "a .git link",
        (root: string, other: string) => symlinkSync(`${other}/.git`, path.join(root, "sub/.git")),
      ],
      [
        "core.worktree",
        (root: string, other: string) => {
          git(path.join(root, "sub"), "init", "-q");
          git(path.join(root, "sub"), "config", "core.worktree", other);
        },
      ],
      [
        "a common directory",
        (root: string, other: string) => {
          git(path.join(root, "sub"), "init", "-q");
          writeFileSync(path.join(root, "sub/.git/commondir"), `${other}/.git\n`);
        },
      ],
      [
        "linked parts",
        (root: string, other: string) => {
          mkdirSync(path.join(root, "sub/.git"));
          writeFileSync(path.join(root, "sub/.git/HEAD"), "ref: refs/heads/main\n");
          for (const part of ["objects", "refs"])
            symlinkSync(`${other}/.git/${part}`, path.join(root, "sub/.git", part));
        },
      ],
    ] as const) {
      it(`by ${how}`, async () => {
        const { root, failure } = bench();
        mkdirSync(path.join(root, "sub"));
        plant(root, elsewhere());
        for (const operation of ["log", "status", "diff"])
          expect((await failure(operation, { repository_path: "sub" })).code, operation).to.be.oneOf([
            "permission_denied",
            "not_found",
          ]);
      });
    }
  });

  it("CVE-2025-53107: a command in a name stays a name", async () => {
    const { has, failure, data } = repository();
    expect((await failure("branch", { action: "create", name: "x; touch ran" })).code).to.equal(
      "invalid_value",
    );
    await data("branch", { action: "create", name: "x;touch$(ran)`ran`" });
    await data("stash", { action: "list" });
    expect(has("ran")).to.equal(false);
  });

  for (const remote of [
    "ext::sh -c touch% ran",
    "https://example.org/x.git",
    "/tmp",
    "file:///tmp",
    "origin ",
    "../x",
  ]) {
    it(`takes no address for a remote: ${remote}`, async () => {
      const { failure, has } = shared();
      for (const operation of ["push", "pull"])
        expect((await failure(operation, { remote })).code).to.equal("not_found");
      expect(has("ran")).to.equal(false);
    });
  }

  it("a + or a : in a branch makes no forced or other push", async () => {
    const { failure, bare, git: plain } = shared();
    const before = plain("-C", bare, "for-each-ref");
    for (const branch of ["+main", "main:other", ":main", "refs/../main"])
      expect((await failure("push", { branch })).code, branch).to.be.oneOf(["invalid_value", "not_found"]);
    expect(plain("-C", bare, "for-each-ref")).to.equal(before);
  });

  it("agrees with git on what can be a name", () => {
    const names = [
      "a",
      "a/b",
      "a.b",
      "a@b",
      "a@{b",
      "a..b",
      ".a",
      "a/.b",
      "a.lock",
      "a.lock/b",
      "a.lockb",
      "a/",
      "/a",
      "a//b",
      "a.",
      "a b",
    ];
    for (const name of [
      ...names,
      "a~",
      "a^",
      "a:",
      "a?",
      "a*",
      "a[",
      "a\\",
      "a\x7f",
      "a\tb",
      "ü🙂",
      "+a",
      "HEAD/x",
    ]) {
      const agrees = (check: () => unknown): boolean => {
        try {
          check();
          return true;
        } catch {
          return false;
        }
      };
      expect(
        agrees(() => requireName(name, "branch")),
        name,
      ).to.equal(agrees(() => git("/", "check-ref-format", "--branch", name)));
    }
  });
});
