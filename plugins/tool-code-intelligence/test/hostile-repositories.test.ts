import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { commit, git, hasGit } from "./repository.ts";
import { workspace, type Workspace } from "./workspace.ts";

const date = "2024-01-01T00:00:00Z";

/** A repository in which each program that is started leaves a mark. */
function trapped(): { readonly place: Workspace; readonly trap: string; readonly isSprung: () => boolean } {
  const place = workspace();
  const outside = temporaryFolder();
  const [mark, trap] = [path.join(outside, "mark"), path.join(outside, "trap.sh")];
  writeFileSync(trap, `#!/bin/sh\ntouch ${mark}\ncat "$1" 2>/dev/null\n`);
  chmodSync(trap, 0o755);
  commit(place.root, { message: "needle one", date, files: { "a.ts": "needle();\n", "b.txt": "x\n" } });
  commit(place.root, { message: "needle two", date, files: { "a.ts": "needle(1);\nneedle(2);\n" } });
  return { place, trap, isSprung: () => existsSync(mark) };
}

/** git settings that name a program, and what else must be there for it to run. */
const vectors: Readonly<Record<string, (root: string, trap: string) => void>> = {
  "a file-system monitor": (root, trap) => git(root, ["config", "core.fsmonitor", trap]),
  hooks: (root, trap) => {
    const hooks = path.join(root, "hooks");
    mkdirSync(hooks);
    for (const name of ["post-checkout", "post-index-change", "pre-auto-gc", "reference-transaction"]) {
      writeFileSync(path.join(hooks, name), readFileSync(trap), { mode: 0o755 });
    }
    git(root, ["config", "core.hooksPath", hooks]);
  },
  "an external diff": (root, trap) => git(root, ["config", "diff.external", trap]),
  "a diff driver": (root, trap) => {
    git(root, ["config", "diff.evil.command", trap]);
    writeFileSync(path.join(root, ".gitattributes"), "* diff=evil\n");
  },
  "a text conversion": (root, trap) => {
    git(root, ["config", "diff.evil.textconv", trap]);
    writeFileSync(path.join(root, ".gitattributes"), "* diff=evil\n");
  },
  filters: (root, trap) => {
    for (const key of ["clean", "smudge", "process"]) git(root, ["config", `filter.evil.${key}`, trap]);
    writeFileSync(path.join(root, ".gitattributes"), "* filter=evil\n");
    writeFileSync(path.join(root, "a.ts"), "needle(3);\n");
  },
  "a signature program": (root, trap) => {
    const signed = git(root, ["cat-file", "commit", "HEAD"]).replace(
      "\n\n",
      "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n",
    );
    writeFileSync(path.join(root, ".git", "signed"), signed);
    const hash = git(root, ["hash-object", "-t", "commit", "-w", ".git/signed"]).trim();
    git(root, ["update-ref", "HEAD", hash]);
    git(root, ["config", "gpg.program", trap]);
    git(root, ["config", "log.showSignature", "true"]);
  },
  "a pager and an editor": (root, trap) => {
    for (const key of ["core.pager", "pager.log", "core.editor", "sequence.editor"])
      git(root, ["config", key, trap]);
  },
  "a promised object that would be fetched": (root, trap) => {
    git(root, ["config", "core.sshCommand", trap]);
    git(root, ["config", "remote.origin.url", root]);
    git(root, ["config", "remote.origin.uploadpack", trap]);
    git(root, ["config", "remote.origin.promisor", "true"]);
    git(root, ["config", "protocol.ext.allow", "always"]);
    git(root, ["config", "extensions.partialClone", "origin"]);
    git(root, ["config", "core.repositoryFormatVersion", "1"]);
    const blob = git(root, ["rev-parse", "HEAD~1:a.ts"]).trim();
    rmSync(path.join(root, ".git/objects", blob.slice(0, 2), blob.slice(2)), { force: true });
  },
  "an alias of a command": (root, trap) => {
    for (const name of ["log", "ls-files", "rev-parse"]) git(root, ["config", `alias.${name}`, `!${trap}`]);
  },
};

/** What git does in each of them when nothing is set against it; proves that the trap is one. */
const plainly: readonly (readonly string[])[] = [
  ["status"],
  ["diff"],
  ["log", "--ext-diff", "-p", "-Sneedle"],
  ["log", "-p"],
  ["show", "HEAD~1:a.ts"],
  ["checkout", "--force", "HEAD"],
  ["-c", "core.pager=cat", "add", "--renormalize", "."],
];
const harmlessHere = new Set(["a pager and an editor", "an alias of a command"]);

describe("hostile repositories", function () {
  this.timeout(30_000);

  before(function () {
    if (hasGit()) return;
    console.log("      needs the Debian package git");
    this.skip();
  });

  for (const [name, set] of Object.entries(vectors)) {
    it(`B8: run nothing by ${name}`, async () => {
      const { place, trap, isSprung } = trapped();
      set(place.root, trap);
      rmSync(path.join(path.dirname(trap), "mark"), { force: true });
      await place.run("search_history", { query: "needle" }).catch(() => undefined);
      await place
        .run("search_history", { query: "needle(2)", author: "anna", since: "2020" })
        .catch(() => undefined);
      const { data } = await place.run("list_usages", { symbol_name: "needle" });
      expect(isSprung()).to.equal(false);
      expect(data).to.have.length.above(0);
      if (harmlessHere.has(name)) return;
      for (const args of plainly) {
        try {
          git(place.root, args);
        } catch {
          // The trap is no filter, diff or server that git could go on with.
        }
      }
      expect(isSprung(), "the trap works").to.equal(true);
    });
  }

  it("refuse a .git file that points to a repository elsewhere (GHSA-w766-5x43-whvw)", async () => {
    const other = temporaryFolder();
    commit(other, { message: "secret plan", date, files: { "secret.ts": "needle();" } });
    const { data, failure, root } = workspace({
      "sub/.git": `gitdir: ${other}/.git\n`,
      "sub/a.ts": "needle();",
    });
    expect(git(path.join(root, "sub"), ["log"])).to.contain("secret plan");
    expect((await failure("search_history", { query: "secret", repository_path: "sub" })).code).to.equal(
      "not_found",
    );
    expect(await data("list_usages", { symbol_name: "needle" })).to.have.length(1);
  });

  it("refuse data that are shared with, or linked from, a repository elsewhere", async () => {
    const other = temporaryFolder();
    commit(other, { message: "secret plan", date });
    const shared = workspace();
    git(shared.root, ["init", "--quiet"]);
    writeFileSync(path.join(shared.root, ".git/commondir"), `${other}/.git\n`);
    expect(git(shared.root, ["log", "main"])).to.contain("secret plan");
    expect((await shared.failure("search_history", { query: "secret" })).code).to.equal("not_found");
    const linked = workspace();
    symlinkSync(path.join(other, ".git"), path.join(linked.root, ".git"));
    expect((await linked.failure("search_history", { query: "secret" })).code).to.equal("not_found");
  });

  it("look no higher than the working directory", async () => {
    const above = temporaryFolder();
    commit(above, { message: "secret plan", date, files: { "wd/a.txt": "" } });
    const { failure } = workspace({}, { workingDirectory: path.join(above, "wd") });
    expect((await failure("search_history", { query: "secret" })).code).to.equal("not_found");
  });

  it("do not take a bare repository among the files for one", async () => {
    const { root, failure } = workspace();
    const source = temporaryFolder();
    commit(source, { message: "planted", date });
    git(root, ["clone", "--quiet", "--bare", source, "planted"]);
    expect(readdirSync(path.join(root, "planted"))).to.include("HEAD");
    expect((await failure("search_history", { query: "planted", repository_path: "planted" })).code).to.equal(
      "not_found",
    );
  });

  it("refuse a path outside that the call was not allowed (CVE-2025-68145)", async () => {
    const other = temporaryFolder();
    commit(other, { message: "secret plan", date });
    const { failure } = workspace();
    expect((await failure("search_history", { query: "secret", repository_path: other })).code).to.equal(
      "permission_denied",
    );
    expect((await failure("search_history", { query: "secret", repository_path: "../x" })).code).to.equal(
      "path_escape",
    );
    const allowed = workspace({}, { allowed: [other] });
    expect(await allowed.data("search_history", { query: "secret", repository_path: other })).to.have.length(
      1,
    );
  });

  it("cannot forge entries of the list by what a message holds", async () => {
    const { root, data } = workspace();
    const hash = "0".repeat(40);
    commit(root, {
      message: `needle\x1e${hash}\x1fEve\n\n${hash}\nEve`,
      date,
      author: "E\x1fve <e@example.com>",
      files: { "a\nb": "1" },
    });
    const found = await data<readonly { readonly subject: string; readonly files: readonly string[] }[]>(
      "search_history",
      {
        query: "needle",
      },
    );
    expect(found).to.have.length(1);
    expect(found[0]?.files).to.deep.equal(["a\nb"]);
  });
});
