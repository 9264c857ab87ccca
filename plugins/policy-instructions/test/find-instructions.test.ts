import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import {
  digestOfEntry,
  importsOf,
  sha256,
  skillDigests,
  skillFolders,
  writeTrusted,
} from "@pergola/sdk/host";
import { foldersFor, InstructionFinder } from "../find-instructions.ts";
import { FileDigests } from "../verified-files.ts";
import { folderWith } from "./scene.ts";

const skill = (name: string): string => `---\nname: ${name}\ndescription: For ${name}.\n---\nDo ${name}.\n`;

describe("instructions of folders", () => {
  it("are those from the root of the repository down, or of the working directory alone", () => {
    const root = folderWith({ "a/b/c/x": "" });
    const inner = path.join(root, "a", "b", "c");
    expect(foldersFor(inner)).to.deep.equal([inner]);
    mkdirSync(path.join(root, "a", ".git"));
    expect(foldersFor(inner)).to.deep.equal([path.join(root, "a"), path.join(root, "a", "b"), inner]);
    writeFileSync(path.join(inner, ".git"), "gitdir: elsewhere");
    expect(foldersFor(inner)).to.deep.equal([inner]);
  });

  it("name other files with @, inside the folder and outside of code", () => {
    const others = { ".env": "", "run.sh": "" };
    const folder = folderWith({ "a.md": "", "docs/b.md": "", "c.md": "", "d.md": "", ...others });
    symlinkSync("a.md", path.join(folder, "link.md"));
    const text =
      "See @a.md, @./docs/b.md, @.env, @run.sh " +
      "Mail me@c.md, @nobody, @link.md, @../x, @docs, @/etc/hosts, `@c.md`\n" +
      `\`\`\`\n@d.md\n\`\`\`\n@${"x".repeat(5000)} @a.md/below`;
    expect(importsOf(text, folder)).to.deep.equal(["a.md", path.join("docs", "b.md")]);
  });

  it("do not read a pipe, an endless file or a folder in the place of a file", async () => {
    const folder = folderWith({ "x/AGENTS.md/y": "", "big/AGENTS.md": "x".repeat((1 << 20) + 1) });
    execFileSync("mkfifo", [path.join(folder, "AGENTS.md")]);
    const where = { home: folder, environment: {} };
    for (const each of [folder, path.join(folder, "x"), path.join(folder, "big")]) {
      writeTrusted(each, { "AGENTS.md": sha256("x") }, where);
      const { texts } = await new InstructionFinder(where, Date.now).find(each);
      expect(texts).to.deep.equal([]);
    }
  });

  it("say nothing where the list of trust has other bytes, or only the name of a settings file", async () => {
    const folder = folderWith({ "AGENTS.md": "Use tabs.", "home/x": "" });
    const where = { home: path.join(folder, "home"), environment: {} };
    const found = () => new InstructionFinder(where, Date.now).find(folder);
    writeTrusted(folder, { "pergola.config.json": sha256("Use tabs.") }, where);
    expect((await found()).warnings.join()).to.include("AGENTS.md has come");
    writeTrusted(folder, { "AGENTS.md": sha256("Use tabs!") }, where);
    expect((await found()).warnings.join()).to.include("AGENTS.md has changed");
    writeTrusted(folder, { "AGENTS.md": sha256("Use tabs.") }, where);
    expect((await found()).texts.map(({ text }) => text)).to.deep.equal(["Use tabs."]);
  });
});

describe("skills of folders", () => {
  it("are found six folders deep, not inside of another, and not behind links", async () => {
    const deep = "1/2/3/4/5/6/SKILL.md";
    const folder = folderWith({
      [deep]: skill("six"),
      "one/SKILL.md": skill("one"),
      "one/inner/SKILL.md": skill("inner"),
      "node_modules/x/SKILL.md": skill("x"),
    });
    symlinkSync(path.join(folder, "one"), path.join(folder, "linked"));
    const { folders, isCut } = await skillFolders(folder);
    expect([folders.map((each) => path.relative(folder, each)), isCut]).to.deep.equal([
      ["one", path.dirname(deep)],
      false,
    ]);
    mkdirSync(path.join(folder, "7/2/3/4/5/6/7"), { recursive: true });
    expect((await skillFolders(folder)).isCut).to.equal(true);
  });

  it("have digests of all their files, and of where their links point", async () => {
    const folder = folderWith({ "s/SKILL.md": "x", "s/a/b.txt": "y" });
    symlinkSync("/etc/hosts", path.join(folder, "s", "link"));
    const before = await skillDigests(folder, path.join(folder, "s"));
    expect(Object.keys(before ?? {}).toSorted()).to.deep.equal(["s/SKILL.md", "s/a/b.txt", "s/link"]);
    expect(before?.["s/link"]).to.equal(sha256("link /etc/hosts"));
    execFileSync("mkfifo", [path.join(folder, "s", "pipe")]);
    expect(await skillDigests(folder, path.join(folder, "s"))).to.equal(undefined);
  });

  it("are read again after a change that leaves size and time as they were", async () => {
    const folder = folderWith({ "SKILL.md": "one" });
    const name = path.join(folder, "SKILL.md");
    const old = new Date(Date.now() - 60_000);
    const digests = new FileDigests(() => Date.now() + 60_000);
    const entry = { name, kind: "file" } as const;
    utimesSync(name, old, old);
    expect((await digests.of(entry)).digest).to.equal(sha256("one"));
    writeFileSync(name, "two");
    utimesSync(name, old, old);
    expect(await digests.of(entry)).to.deep.equal(await digestOfEntry(entry));
    rmSync(name);
    expect(await digests.of(entry).catch(() => "gone")).to.equal("gone");
  });
});
