import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import fc from "fast-check";
import { temporaryFolder } from "@pergola/sdk/testing";
import manifest from "../plugin.json" with { type: "json" };
import { protectedNames } from "../protected-names.ts";
import { protectedPaths } from "../protected-paths.ts";
import { decide, home, linked, read, touched, wd, write } from "./calls.ts";

const asks = (facts: Parameters<typeof decide>[0], lists = {}): boolean =>
  decide(facts, lists).decision === "ask";

describe("authorization.protected_paths", () => {
  for (const store of manifest.settings["authorization.protected_paths"].default) {
    it(`asks even for a read of ${store}`, () => {
      expect(asks(read(store))).to.equal(true);
      expect(asks(read(`${store}/deep/inside`))).to.equal(true);
    });
  }

  it("S9: asks for what holds passwords and keys beside the known folders, under any name that fits", () => {
    for (const file of [
      "~/.git-credentials",
      "~/.config/gh/hosts.yml",
      "~/.cargo/credentials.toml",
      "~/.claude.json",
      "~/.claude/settings.json",
      "~/.bash_history",
      "~/.local/share/pergola/pergola.db",
      "/etc/shadow",
    ])
      expect(asks(read(file)), file).to.equal(true);
    for (const file of [
      "~/.cargo/config.toml",
      "~/x.claude",
      "~/work/.bash_history",
      "~/history",
      "/etc/hosts",
    ])
      expect(asks(read(file)), file).to.equal(false);
  });

  it("names the store to the person", () => {
    expect(decide(read("~/.aws/credentials"))).to.deep.equal({
      decision: "ask",
      reason: "this is a store of credentials: /home/ada/.aws/credentials",
    });
  });

  it("A09: compares by segment", () => {
    expect(asks(read("~/.sshd/config"))).to.equal(false);
    expect(asks(read("~/.ss"))).to.equal(false);
    expect(asks(read("~"))).to.equal(false);
    expect(asks(read("/home/bob/.ssh/id_rsa"))).to.equal(false);
  });

  it("asks under any spelling of the same path", () => {
    for (const given of [
      "~/.SSH/id_rsa",
      "/home/ada/x/../.ssh/id_rsa",
      "/home/ada/.ssh",
      "/home/ada//.ssh/./id_rsa",
      "~/.s\u200bsh/id_rsa",
    ]) {
      expect(asks(read(given)), given).to.equal(true);
    }
  });

  it("asks when a link leads into a store, and when a store's own link leads out of it", () => {
    expect(
      asks({ effect: "read", paths: [linked("notes", `${home}/.ssh/id_rsa`, "outside", "read")] }),
    ).to.equal(true);
    expect(
      asks({ effect: "read", paths: [linked("~/.ssh/id_rsa", "/mnt/stick/key", "outside", "read")] }),
    ).to.equal(true);
  });

  it("asks when the store itself is a link and its target is named", () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, "vault"));
    symlinkSync(path.join(folder, "vault"), path.join(folder, ".ssh"));
    const file = path.join(folder, "vault", "id_rsa");
    const isProtected = protectedPaths(["~/.ssh"], folder);
    expect(isProtected({ requestedPath: file, real: file, place: "outside", exists: true }, wd)).to.equal(
      true,
    );
    const other = path.join(folder, "vaults");
    expect(isProtected({ requestedPath: other, real: other, place: "outside", exists: true }, wd)).to.equal(
      false,
    );
  });

  it("asks when the home directory is reached by its real path, also for a store that is not there yet", () => {
    const folder = temporaryFolder();
    const linkedHome = path.join(temporaryFolder(), "me");
    symlinkSync(folder, linkedHome);
    const file = path.join(folder, ".netrc");
    expect(
      protectedPaths(["~/.netrc"], linkedHome)(
        { requestedPath: file, real: file, place: "outside", exists: false },
        wd,
      ),
    ).to.equal(true);
  });

  it("stays closed in a working directory around it, and is open in one that was chosen inside it", () => {
    const of = (workingDirectory: string, given: string) => ({
      workingDirectory,
      effect: "read" as const,
      paths: [touched(given, "read", workingDirectory)],
    });
    expect(asks(of(home, ".ssh/id_rsa"))).to.equal(true);
    expect(asks(of(`${home}/.aws/scripts`, "run.sh"))).to.equal(false);
  });

  it("does not ask about a path that a call only mentions", () => {
    expect(
      asks({
        tool: "user_collaboration",
        operation: "request_input",
        effect: "none",
        paths: [touched("~/.ssh", "none")],
      }),
    ).to.equal(false);
  });

  it("gives the plain rule when the list is empty", () => {
    expect(asks(read("~/.ssh/id_rsa"), { protected_paths: [] })).to.equal(false);
    expect(asks(write("~/.ssh/id_rsa"), { protected_paths: [] })).to.equal(true);
  });

  it("takes the person's own list instead of the default", () => {
    const lists = { protected_paths: ["/srv/keys", "~/vault"] };
    expect(asks(read("/srv/keys/a"), lists)).to.equal(true);
    expect(asks(read("~/vault"), lists)).to.equal(true);
    expect(asks(read("~/.ssh/id_rsa"), lists)).to.equal(false);
  });
});

describe("authorization.protected_names", () => {
  const names = manifest.settings["authorization.protected_names"].default.filter(
    (name) => !name.includes("#"),
  );

  for (const name of names) {
    it(`CVE-2025-54135: asks before ${name} is written inside the working directory`, () => {
      expect(asks(write(name))).to.equal(true);
      expect(asks(write(`deep/er/${name}`))).to.equal(true);
      expect(asks(write(`${name}/below`))).to.equal(true);
      expect(asks(read(name))).to.equal(false);
    });
  }

  it("asks whether it exists or not", () => {
    expect(asks({ paths: [{ ...touched(".git/hooks/pre-commit", "write"), exists: false }] })).to.equal(true);
  });

  it("asks at both ends of a rename, and for the folder that would bring the name along", () => {
    expect(asks(write("a.json", ".mcp.json"))).to.equal(true);
    expect(asks(write(".vscode", "old"))).to.equal(true);
    expect(asks(write("prepared", ".git"))).to.equal(true);
    expect(asks(write("prepared", "vendor/.git"))).to.equal(true);
  });

  it("asks when a link of that name leads elsewhere, and when another name leads to it", () => {
    expect(
      asks({ paths: [linked(".vscode/tasks.json", `${wd}/other/tasks.json`, "inside", "write")] }),
    ).to.equal(true);
    expect(
      asks({ paths: [linked("other/tasks.json", `${wd}/.vscode/tasks.json`, "inside", "write")] }),
    ).to.equal(true);
  });

  it("asks under any spelling of the same name", () => {
    for (const name of [
      ".GIT/Hooks/x",
      ".git/./hooks/x",
      "a/../.git/hooks/x",
      ".g\u200cit/hooks/x",
      ".git/hooks./x",
      ".vscode /x",
      ".git\\hooks\\x",
    ]) {
      expect(asks(write(name)), name).to.equal(true);
    }
  });

  it("S10: asks for what other programs run or trust, by any name that fits", () => {
    for (const file of [
      ".npmrc",
      "packages/a/.npmrc",
      ".envrc",
      ".yarnrc",
      ".yarnrc.yml",
      ".pnp.cjs",
      ".git/info/attributes",
      ".gitattributes",
      ".claude/settings.json",
      ".cursor/mcp.json",
      ".devcontainer/devcontainer.json",
      ".husky/pre-commit",
      ".github/workflows/a.yml",
      "AGENTS.md",
      "sub/CLAUDE.md",
      "node_modules/.bin/tsc",
    ])
      expect(asks(write(file)), file).to.equal(true);
    for (const file of ["yarnrc", "pnp.cjs", ".git/HEAD", "AGENTS.txt", "node_modules/x/index.js"])
      expect(asks(write(file)), file).to.equal(false);
  });

  it("does not ask about names that only look alike", () => {
    for (const name of [
      ".gitignore",
      ".git/configs",
      ".git/index",
      "git/hooks/x",
      ".github/dependabot.yml",
      "vscode/x",
      ".bashrc.md",
      "config",
    ]) {
      expect(asks(write(name)), name).to.equal(false);
    }
  });

  it("does not count what the working directory itself is called, unless the name ends below it", () => {
    const of = (workingDirectory: string, given: string) => ({
      workingDirectory,
      paths: [touched(given, "write", workingDirectory)],
    });
    expect(asks(of("/repo/.vscode/extension", "src/a.ts"))).to.equal(false);
    expect(asks(of("/repo/.git", "hooks/pre-commit"))).to.equal(true);
    expect(asks(of("/repo/.git/hooks", "notes.txt"))).to.equal(false);
  });

  it("gives the plain rule when the list is empty", () => {
    expect(asks(write(".git/hooks/x"), { protected_names: [] })).to.equal(false);
    expect(asks(write("/tmp/.git/hooks/x"), { protected_names: [] })).to.equal(true);
  });

  it("finds a protected name at any depth, in any case, and nothing below a harmless path", () => {
    const step = fc.stringMatching(/^[a-z]{1,6}$/);
    const isProtected = protectedNames(names, home);
    const check = (file: string): boolean => isProtected(touched(file, "write"), wd);
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 4 }),
        fc.constantFrom(...names),
        fc.array(step, { maxLength: 3 }),
        fc.boolean(),
        (above, name, below, loud) => {
          const spelled = loud ? name.toUpperCase() : name;
          expect(check([...above, spelled, ...below].join("/"))).to.equal(true);
          expect(check([...above, "plain.txt"].join("/"))).to.equal(false);
        },
      ),
    );
  });
});
