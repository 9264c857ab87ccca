import { expect } from "chai";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import * as linux from "../walk.ts";
import { codeOf, folders, type Folders } from "./folders.ts";

const { withDirectory } = linux;
type Walk = typeof linux;

/** The module as it is on a system without Linux's descriptors. */
async function walkElsewhere(): Promise<Walk> {
  const platform = Object.getOwnPropertyDescriptor(process, "platform") ?? {};
  Object.defineProperty(process, "platform", { ...platform, value: "darwin" });
  try {
    const specifier: string = "../walk.ts?elsewhere";
    return (await import(specifier)) as Walk;
  } finally {
    Object.defineProperty(process, "platform", platform);
  }
}

const systems: Readonly<Record<string, () => Promise<Walk>>> = {
  Linux: async () => linux,
  "other systems": walkElsewhere,
};

for (const [system, load] of Object.entries(systems)) {
  describe(`walking on ${system}`, () => {
    let at: Folders;
    let walk: Walk;
    const open = (real: string, make = false) =>
      walk.withDirectory({ requestedPath: "given", real }, (folder) => folder, make);

    beforeEach(async () => {
      at = folders();
      walk = await load();
      mkdirSync(path.join(at.work, "a/b"), { recursive: true });
      writeFileSync(path.join(at.work, "a/b/f.txt"), "text");
    });

    it("lends a folder and a regular file in it", async () => {
      const read = (folder: string) =>
        walk.withFile(`${folder}/f.txt`, async (fd, stats, opened) => [
          readFileSync(fd, "utf8"),
          stats.size,
          readFileSync(opened, "utf8"),
        ]);
      expect(
        await walk.withDirectory({ requestedPath: "x", real: path.join(at.work, "a/b") }, read),
      ).to.deep.equal(["text", 4, "text"]);
    });

    it("refuses a link at any step of the path", async () => {
      symlinkSync("a", path.join(at.work, "l"));
      symlinkSync("b", path.join(at.work, "a/l"));
      for (const name of ["l", "l/b", "a/l"])
        expect(await codeOf(open(path.join(at.work, name))), name).to.equal("permission_denied");
    });

    it("makes what is missing, but not through a link", async () => {
      await open(path.join(at.work, "n/e/w"), true);
      expect(existsSync(path.join(at.work, "n/e/w"))).to.equal(true);
      expect(await codeOf(open(path.join(at.work, "none/x")))).to.equal("file_not_found");
      if (system === "Linux") {
        symlinkSync(at.outside, path.join(at.work, "l"));
        expect(await codeOf(open(path.join(at.work, "l/new"), true))).to.equal("permission_denied");
        expect(existsSync(path.join(at.outside, "new"))).to.equal(false);
      }
    });

    it("refuses links, folders and pipes in the place of a file", async () => {
      symlinkSync("f.txt", path.join(at.work, "a/b/l"));
      execFileSync("mkfifo", [path.join(at.work, "a/b/p")]);
      const codes: Readonly<Record<string, string>> = {
        l: "permission_denied",
        p: "invalid_value",
        ".": "invalid_value",
        none: "file_not_found",
      };
      for (const [name, code] of Object.entries(codes)) {
        const work = walk.withDirectory({ requestedPath: "x", real: path.join(at.work, "a/b") }, (folder) =>
          walk.withFile(`${folder}/${name}`, async () => "opened"),
        );
        expect(await codeOf(work), name).to.equal(code);
      }
    });
  });
}

describe("walking on Linux, further", () => {
  let at: Folders;

  beforeEach(() => {
    at = folders();
    mkdirSync(path.join(at.work, "a"));
  });

  it("stays in the folder that was opened when its name is given to another", async () => {
    const content = await withDirectory({ requestedPath: "a", real: path.join(at.work, "a") }, (folder) => {
      renameSync(path.join(at.work, "a"), path.join(at.work, "b"));
      symlinkSync(at.outside, path.join(at.work, "a"));
      writeFileSync(`${folder}/f.txt`, "x");
      return readFileSync(path.join(at.work, "b/f.txt"), "utf8");
    });
    expect(content).to.equal("x");
    expect(existsSync(path.join(at.outside, "f.txt"))).to.equal(false);
  });

  it("walks through folders that may be entered but not read", function () {
    mkdirSync(path.join(at.work, "a/b"));
    chmodSync(at.root, 0o755);
    for (const folder of [at.work, path.join(at.work, "a")]) chmodSync(folder, 0o711);
    writeFileSync(path.join(at.work, "a/b/f.txt"), "reached");
    chmodSync(path.join(at.work, "a/b"), 0o755);
    // Only a user without the superuser's rights can tell.
    const script = `import { withEntry, withFile } from "./plugins/bridge-machine/walk.ts"; import { readFileSync } from "node:fs";
      if (process.getuid() === 0) process.setuid(65534);
      console.log(await withEntry({ given: "f", real: process.env.FILE }, (file) => withFile(file, async (fd) => readFileSync(fd, "utf8"))));`;
    const options = {
      encoding: "utf8",
      env: { ...process.env, FILE: path.join(at.work, "a/b/f.txt") },
    } as const;
    const printed = execFileSync(
      process.execPath,
      ["--conditions=source", "--import", "tsx", "--input-type=module", "--eval", script],
      options,
    );
    expect(printed.trim()).to.equal("reached");
  });
});
