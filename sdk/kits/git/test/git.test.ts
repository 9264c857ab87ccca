import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import {
  configValue,
  hardenedEnvironment,
  listConfig,
  locate,
  neutralSettings,
  parseConfig,
  personalSettings,
  resolvePlace,
  remoteEnvironment,
  runGit,
  trustedEnvironment,
  locateArguments,
  type Environment,
} from "@pergola/kit-git";
import { temporaryFolder, toolContext } from "@pergola/sdk/testing";

const plain = { PATH: process.env["PATH"], GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync("git", args, { cwd, encoding: "utf8", env: plain, stdio: ["ignore", "pipe", "ignore"] });

/** The settings in an environment; of a key that is set twice the last, which wins. */
function settingsIn(environment: Environment): ReadonlyMap<string, string> {
  const count = Number(environment["GIT_CONFIG_COUNT"]);
  const pairs = Array.from({ length: count }, (_, index) => [
    environment[`GIT_CONFIG_KEY_${index}`] ?? "",
    environment[`GIT_CONFIG_VALUE_${index}`] ?? "",
  ]);
  return new Map(pairs.map(([key = "", value = ""]) => [key, value]));
}

describe("hardening of git", () => {
  it("sets everything that could run a program against it", () => {
    const settings = settingsIn(hardenedEnvironment());
    for (const [key, value] of [
      ["core.fsmonitor", "false"],
      ["core.hooksPath", "/dev/null"],
      ["core.pager", "cat"],
      ["core.sshCommand", "false"],
      ["core.alternateRefsCommand", "true"],
      ["credential.helper", ""],
      ["diff.external", ""],
      ["gpg.program", "false"],
      ["gpg.ssh.program", "false"],
      ["gpg.ssh.defaultKeyCommand", "false"],
      ["log.showSignature", "false"],
      ["merge.verifySignatures", "false"],
      ["protocol.allow", "never"],
      ["safe.bareRepository", "explicit"],
      ["submodule.recurse", "false"],
    ] as const)
      expect(settings.get(key), key).to.equal(value);
  });

  it("reads no configuration of the machine, asks nobody and reaches no network", () => {
    expect(hardenedEnvironment()).to.include({
      GIT_ALLOW_PROTOCOL: "none",
      GIT_ASKPASS: "",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_EDITOR: "true",
      GIT_NO_LAZY_FETCH: "1",
      GIT_OPTIONAL_LOCKS: "0",
      GIT_PAGER: "cat",
      GIT_SSH_COMMAND: "false",
      GIT_TERMINAL_PROMPT: "0",
      SSH_ASKPASS: "",
    });
  });

  it("lets a remote be reached by https, ssh without prompts, and by path, only where that is asked for", () => {
    expect({ ...hardenedEnvironment(), ...remoteEnvironment }).to.include({
      GIT_ALLOW_PROTOCOL: "https:ssh:file",
      GIT_SSH_COMMAND: "ssh -oBatchMode=yes",
    });
  });

  it("leaves hooks and filters on where the person allowed them, and still asks nobody", () => {
    const trusted = trustedEnvironment([["user.name", "Ada"]]);
    expect(trusted).to.include({ GIT_EDITOR: "true", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0" });
    const settings = settingsIn(trusted);
    expect([settings.get("core.hooksPath"), settings.get("user.name")]).to.deep.equal([undefined, "Ada"]);
    expect(settings.get("core.fsmonitor")).to.equal("false");
  });

  it("neutralizes keys whose names the repository chooses", () => {
    const local = (key: string) => ({ scope: "local", key, value: "/bin/evil" });
    const keys = [
      "filter.a=b.clean",
      "filter.x.process",
      "filter.x.required",
      "merge.x.driver",
      "http.cookiefile",
    ];
    expect(neutralSettings([...keys, "user.name"].map(local))).to.deep.equal([
      ["filter.a=b.clean", ""],
      ["filter.x.process", ""],
      ["filter.x.required", "false"],
      ["merge.x.driver", "git merge-file --marker-size=%L %A %O %B"],
      ["http.cookiefile", ""],
    ]);
  });

  it("keeps the person's own name, helper and proxy, unless the repository has a name of its own", () => {
    const global = (key: string, value: string) => ({ scope: "global", key, value });
    const config = [
      global("user.name", "Ada"),
      global("credential.helper", "store"),
      global("http.proxy", "http://proxy"),
      global("core.pager", "evil"),
      { scope: "local", key: "credential.helper", value: "evil" },
    ];
    const local = [{ scope: "local", key: "user.name", value: "Bea" }];
    expect(personalSettings(config, local)).to.deep.equal([
      ["credential.helper", "store"],
      ["http.proxy", "http://proxy"],
    ]);
    const settings = settingsIn(hardenedEnvironment(personalSettings(config, [])));
    expect(settings.get("credential.helper")).to.equal("store");
  });
});

describe("parseConfig", () => {
  it("reads values with line feeds and keys without a value", () => {
    const config = parseConfig("local\0a.b\nx\ny\0global\0c.d\0local\0a.b\nlast\0");
    expect(config).to.deep.equal([
      { scope: "local", key: "a.b", value: "x\ny" },
      { scope: "global", key: "c.d", value: "true" },
      { scope: "local", key: "a.b", value: "last" },
    ]);
    expect(configValue(config, "a.b")).to.equal("last");
    expect(configValue(config, "none")).to.equal(undefined);
  });
});

describe("runGit", () => {
  before(function () {
    try {
      execFileSync("git", ["--version"]);
    } catch {
      console.warn("      needs the Debian package git");
      this.skip();
    }
  });

  const scene = () => {
    const context = toolContext();
    const folder = context.workingDirectory;
    git(folder, "init", "-q", "-b", "main");
    return { context, folder, run: { folder, top: folder } };
  };
  const found = async (given: string, context: ReturnType<typeof toolContext>) => {
    const place = await resolvePlace(context.files, given);
    const { stdout } = await runGit(context, locateArguments, { ...place, access: "any" });
    return locate(context.files, stdout, place);
  };

  it("puts its settings above those of the repository", async () => {
    const { context, folder, run } = scene();
    git(folder, "config", "core.fsmonitor", "/bin/evil");
    const { stdout } = await runGit(context, listConfig, run);
    expect(configValue(parseConfig(stdout), "core.fsmonitor")).to.equal("false");
  });

  it("hands over input, and takes file names literally when asked to", async () => {
    const { context, folder, run } = scene();
    const { stdout } = await runGit(context, ["hash-object", "--stdin"], { ...run, input: "x" });
    expect(stdout).to.match(/^[0-9a-f]{40}\n$/);
    writeFileSync(path.join(folder, "a.txt"), "");
    git(folder, "add", "-A");
    const list = async (hasLiteralPaths: boolean) =>
      (await runGit(context, ["ls-files", "--", "*.txt"], { ...run, hasLiteralPaths })).stdout;
    expect([await list(false), await list(true)]).to.deep.equal(["a.txt\n", ""]);
  });

  it("locates a repository, from a folder of it too", async () => {
    const { context, folder } = scene();
    mkdirSync(path.join(folder, "sub"));
    const here = { root: folder, gitDirectory: path.join(folder, ".git") };
    expect(await found(".", context)).to.deep.equal(here);
    expect(await found("sub", context)).to.deep.equal(here);
  });

  it("looks no higher than the working directory", async () => {
    const above = temporaryFolder();
    git(above, "init", "-q");
    mkdirSync(path.join(above, "wd"));
    const context = toolContext({ workingDirectory: path.join(above, "wd") });
    expect(await found(".", context)).to.equal("none");
  });

  it("sees that the data of a repository lie elsewhere", async () => {
    const other = temporaryFolder();
    git(other, "init", "-q");
    const { context, folder } = scene();
    rmSync(path.join(folder, ".git/info"), { recursive: true, force: true });
    symlinkSync(path.join(other, ".git"), path.join(folder, ".git/info"));
    expect(await found(".", context)).to.equal("elsewhere");
    mkdirSync(path.join(folder, "sub"));
    writeFileSync(path.join(folder, "sub/.git"), `gitdir: ${other}/.git\n`);
    expect(await found("sub", context)).to.equal("elsewhere");
  });
});
