import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { temporaryFolder, type TestSetup } from "@pergola/sdk/testing";
import { git, shared, type Bench } from "./bench.ts";

export const reading = [
  ["status", {}],
  ["log", { file: "a.txt" }],
  ["diff", {}],
  ["diff", { ref1: "HEAD~1", ref2: "HEAD" }],
  ["blame", { file: "a.txt" }],
] as const;

export const writing = [
  ["git_commit", { message: "m", files: ["a.txt", "b.txt"] }],
  ["tag", { action: "create", name: "v1", message: "m" }],
  ["branch", { action: "create", name: "other" }],
  ["branch", { action: "switch", name: "other" }],
  ["stash", { action: "save", message: "m" }],
  ["stash", { action: "apply" }],
  ["worktree", { action: "add", path: "tree" }],
  ["push", { branch: "main" }],
  ["pull", { branch: "main", mode: "merge" }],
  ["pull", { branch: "main", mode: "rebase" }],
] as const;

/** A program that leaves a mark when it runs, and the mark. */
export function trap(folder = temporaryFolder()): { readonly program: string; readonly mark: string } {
  const [program, mark] = [path.join(folder, "run"), path.join(folder, "mark")];
  writeFileSync(program, `#!/bin/sh\ntouch ${mark}\n`);
  chmodSync(program, 0o755);
  return { program, mark };
}

/** Works in a repository with two commits, a change and a new file, whatever fails on the way. */
export async function useAll(
  { put, run }: Bench,
  operations: readonly (readonly [string, object])[],
): Promise<void> {
  for (const [index, [operation, args]] of operations.entries()) {
    if (index % 3 === 0) put("a.txt", `${operation} ${index}\n`);
    put("b.txt", `${operation} ${index}\n`);
    await run(operation, args as Readonly<Record<string, unknown>>).catch(() => undefined);
  }
}

export function scene(setup: TestSetup = {}) {
  const made = shared(setup);
  made.put("a.txt", "second\n");
  made.git("commit", "-qam", "second");
  return made;
}

type Plant = (scene: ReturnType<typeof shared>, program: string) => void;

const set =
  (key: string, value: (program: string) => string = (program) => program): Plant =>
  ({ git: plain }, program) =>
    plain("config", key, value(program));
const attributes =
  (line: string): Plant =>
  ({ put }) =>
    put(".git/info/attributes", `${line}\n`);
const all =
  (...plants: readonly Plant[]): Plant =>
  (made, program) =>
    plants.forEach((plant) => plant(made, program));
const hook =
  (folder: (made: ReturnType<typeof shared>) => string): Plant =>
  (made, program) => {
    const names = ["pre-commit", "commit-msg", "post-commit", "pre-push", "post-checkout", "post-merge", "pre-rebase", "post-index-change", "reference-transaction", "pre-receive", "update", "post-receive", "prepare-commit-msg", "post-rewrite", "pre-merge-commit", "fsmonitor-watchman"]; // prettier-ignore
    mkdirSync(folder(made), { recursive: true });
    for (const name of names) {
      writeFileSync(path.join(folder(made), name), `#!/bin/sh\n${program}\n`);
      chmodSync(path.join(folder(made), name), 0o755);
    }
  };

export const vectors: Readonly<Record<string, Plant>> = {
  "core.fsmonitor": set("core.fsmonitor"),
  "hooks of the repository": hook(({ at }) => at(".git/hooks")),
  "hooks elsewhere": all(
    hook(({ at }) => at("hooks")),
    ({ git: plain, at }) => plain("config", "core.hooksPath", at("hooks")),
  ),
  "hooks of a remote on this computer": hook(({ bare }) => path.join(bare, "hooks")),
  "configuration of a remote on this computer": ({ bare, at }, program) => {
    for (const key of ["core.fsmonitor", "core.alternateRefsCommand", "uploadpack.packObjectsHook"])
      git(bare, "config", key, program);
    writeFileSync(path.join(bare, "objects/info/alternates"), `${at(".git/objects")}\n`);
  },
  "diff.external": set("diff.external"),
  "diff.*.command": all(set("diff.evil.command"), attributes("* diff=evil")),
  textconv: all(set("diff.evil.textconv"), attributes("* diff=evil")),
  "clean filter": all(set("filter.evil.clean"), attributes("* filter=evil")),
  "smudge filter": all(set("filter.evil.smudge"), attributes("* filter=evil")),
  "filter process": all(
    set("filter.evil.process"),
    set("filter.evil.required", () => "true"),
    attributes("* filter=evil"),
  ),
  "filter with = in its name": all(
    set("filter.a=b.clean"),
    set("filter.a=b.smudge"),
    attributes("* filter=a=b"),
  ),
  "filter in upper case": all(
    ({ put, text }, program) =>
      put(
        ".git/config",
        `${text(".git/config")}[FILTER "Evil"]\n\tCLEAN = ${program}\n\tSMUDGE = ${program}\n`,
      ),
    attributes("* filter=Evil"),
  ),
  "filter in an included file": all(
    ({ put }, program) => put(".git/more", `[filter "evil"]\n\tclean = ${program}\n\tsmudge = ${program}\n`),
    set("include.path", () => "more"),
    attributes("* filter=evil"),
  ),
  "filter that holds on one branch only": all(
    ({ put }, program) => put(".git/more", `[filter "evil"]\n\tclean = ${program}\n\tsmudge = ${program}\n`),
    set("includeIf.onbranch:other.path", () => "more"),
    set("includeIf.onbranch:tree.path", () => "more"),
    set("includeIf.gitdir:**/worktrees/tree.path", () => "more"),
    attributes("* filter=evil"),
  ),
  "merge driver": all(
    set("merge.evil.driver", (program) => `${program} %A`),
    attributes("* merge=evil"),
  ),
  "core.sshCommand": all(
    set("core.sshCommand"),
    set("remote.origin.url", () => "ssh://127.0.0.1:1/x"),
  ),
  "core.gitProxy": all(
    set("core.gitProxy"),
    set("remote.origin.url", () => "git://127.0.0.1:1/x"),
  ),
  "gpg.program": all(
    set("gpg.program"),
    set("gpg.openpgp.program"),
    set("user.signingKey", () => "x"),
    set("commit.gpgSign", () => "true"),
    set("tag.gpgSign", () => "true"),
    set("log.showSignature", () => "true"),
    set("merge.verifySignatures", () => "true"),
    set("branch.main.mergeOptions", () => "--gpg-sign=x"),
  ),
  "gpg.ssh.program": all(
    set("gpg.format", () => "ssh"),
    set("gpg.ssh.program"),
    set("gpg.ssh.defaultKeyCommand"),
    set("commit.gpgSign", () => "true"),
  ),
  "--upload-pack": all(set("remote.origin.uploadpack"), set("remote.origin.receivepack")),
  "ext:: address": set("remote.origin.url", (program) => `ext::${program}`),
  "ext:: by insteadOf": all(
    ({ git: plain }, program) => plain("config", `url.ext::${program} .insteadOf`, "/"),
    set("protocol.ext.allow", () => "always"),
  ),
  "a helper of its own (remote.*.vcs)": set("remote.origin.vcs", () => "evil"),
  "CVE-2026-28292: protocol keys in another case": all(
    set("PROTOCOL.ext.ALLOW", () => "always"),
    set("remote.origin.url", (program) => `ext::${program}`),
  ),
  "editor, pager and askpass": all(
    ...[
      "core.editor",
      "sequence.editor",
      "core.pager",
      "pager.log",
      "pager.diff",
      "core.askPass",
      "pager.branch",
    ].map((key) => set(key)),
  ),
  "alternate refs command": all(set("core.alternateRefsCommand"), ({ put, bare, others }) => {
    others.commit("new.txt", "x");
    put(".git/objects/info/alternates", `${bare}/objects\n`);
  }),
  "fetch of missing objects (partial clone)": all(
    set("remote.evil.url", () => "."),
    set("remote.evil.promisor", () => "true"),
    set("remote.evil.uploadpack"),
    set("extensions.partialClone", () => "evil"),
    set("core.repositoryFormatVersion", () => "1"),
    ({ git: plain, at }) => {
      const hash = plain("rev-parse", "HEAD~1:a.txt").trim();
      rmSync(at(`.git/objects/${hash.slice(0, 2)}/${hash.slice(2)}`));
    },
  ),
  "configuration inside a submodule": (made, program) => {
    const folder = made.at("sub");
    mkdirSync(folder);
    git(folder, "init", "-q");
    writeFileSync(path.join(folder, "x"), "x");
    git(folder, "add", "-A");
    git(folder, "commit", "-qm", "x");
    made.git("-c", "advice.addEmbeddedRepo=false", "add", "sub");
    made.put(".gitmodules", '[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n\tignore = none\n');
    made.git("add", ".gitmodules");
    made.git("commit", "-qm", "sub");
    for (const key of ["core.fsmonitor", "filter.evil.clean", "filter.evil.smudge"])
      git(folder, "config", key, program);
    writeFileSync(path.join(folder, ".git/info/attributes"), "* filter=evil\n");
    writeFileSync(path.join(folder, "x"), "changed");
    made.git("config", "submodule.recurse", "true");
    made.git("config", "status.submoduleSummary", "true");
    made.git("config", "diff.submodule", "diff");
  },
  "embedded bare repository": ({ at, root }, program) => {
    git(root, "init", "-q", "--bare", "bare");
    git(at("bare"), "config", "core.fsmonitor", program);
    git(at("bare"), "config", "core.worktree", "..");
    git(at("bare"), "config", "core.bare", "false");
  },
  "core.attributesFile": all(
    set("filter.evil.clean"),
    set("filter.evil.smudge"),
    ({ put }) => put("attributes", "* filter=evil\n"),
    set("core.attributesFile", () => "attributes"),
  ),
  "trailer commands": all(
    set("trailer.x.key", () => "X"),
    set("trailer.x.command"),
    set("trailer.x.cmd"),
  ),
  "credential helper": all(
    set("credential.helper", (program) => `!${program}`),
    set("remote.origin.url", () => "https://127.0.0.1:1/x"),
  ),
  "uploadpack.packObjectsHook": set("uploadpack.packObjectsHook"),
  aliases: all(
    set("alias.status", (program) => `!${program}`),
    set("alias.merge-file", (program) => `!${program}`),
  ),
};
