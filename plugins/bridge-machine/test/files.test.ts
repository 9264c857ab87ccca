import { expect } from "chai";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import net from "node:net";
import path from "node:path";
import { ToolError, type Files } from "@pergola/sdk";
import { createFiles } from "../files.ts";
import { codeOf, contents, filesOf, folders, noon, type Folders } from "./folders.ts";

const openDescriptors = (): number => readdirSync("/proc/self/fd").length;

describe("createFiles", () => {
  let at: Folders;
  let files: Files;
  const inside = (...parts: string[]) => path.join(at.work, ...parts);

  beforeEach(() => {
    at = folders();
    files = filesOf(at);
    writeFileSync(inside("a.txt"), "hello ünïcode");
  });

  describe("reading", () => {
    it("reads text, bytes and ranges", async () => {
      expect(await files.readText("a.txt")).to.equal("hello ünïcode");
      expect(Buffer.from(await files.read("a.txt", { start: 1, end: 4 })).toString()).to.equal("ell");
      expect(Buffer.from(await files.read("a.txt", { start: 6 })).toString()).to.equal("ünïcode");
      expect(await files.read("a.txt", { start: 99 })).to.have.length(0);
      expect(await files.read("a.txt", { end: 1e12 })).to.have.length(15);
      expect(await files.read("a.txt", { start: 5, end: 2 })).to.have.length(0);
    });

    it("reads what the system makes up as it is read", async () => {
      expect(await filesOf(at, { mayReach: () => true }).readText("/proc/meminfo")).to.include("MemTotal");
    });

    it("says nothing of other memory in the bytes it hands over", async () => {
      const bytes = await files.read("a.txt");
      expect(bytes.buffer.byteLength).to.equal(bytes.length);
    });

    it("tells of a file, a folder, a link itself and of nothing", async () => {
      symlinkSync("a.txt", inside("l"));
      chmodSync(inside("a.txt"), 0o640);
      expect(await files.stat("a.txt")).to.include({
        path: inside("a.txt"),
        name: "a.txt",
        kind: "file",
        size: 15,
        mode: 0o640,
      });
      expect(await files.stat("l")).to.include({ kind: "link", path: inside("l") });
      expect(await files.stat(".")).to.include({ kind: "directory", path: at.work });
      expect(await files.stat("none/at/all")).to.equal(undefined);
      expect((await files.stat("a.txt"))?.modified).to.be.closeTo(Date.now(), 60_000);
    });

    it("lists in name order and follows no link", async () => {
      mkdirSync(inside("b"));
      symlinkSync(at.outside, inside("c"));
      writeFileSync(inside("B"), "");
      expect((await files.list(".")).map(({ name, kind }) => [name, kind])).to.deep.equal([
        ["B", "file"],
        ["a.txt", "file"],
        ["b", "directory"],
        ["c", "link"],
      ]);
    });

    it("A25: leaves out of a listing what nobody may see", async () => {
      linkSync(path.join(at.data, "secrets.json"), inside("hard"));
      expect((await files.list(".")).map(({ name }) => name)).to.deep.equal(["a.txt"]);
      const around = createFiles({
        ...at.rules,
        workingDirectory: at.root,
        mayReach: () => false,
        backupDays: () => 7,
        clock: { now: () => noon },
      });
      expect((await around.list(".")).map(({ name }) => name)).to.deep.equal(["home", "outside", "ws"]);
      expect(await codeOf(around.list("data"))).to.equal("permission_denied");
    });

    it("lists many entries without holding up others", async () => {
      for (let index = 0; index < 1200; index += 1) writeFileSync(inside(`f${index}`), "");
      let turns = 0;
      const ticking = setInterval(() => (turns += 1), 0);
      expect(await files.list(".")).to.have.length(1201);
      clearInterval(ticking);
      expect(turns).to.be.greaterThan(0);
    });

    it("names up to three close paths when there is no such file", async () => {
      mkdirSync(inside("src"));
      for (const name of ["index.ts", "indexes.ts", "main.ts", "index.test.ts", "index.d.ts"])
        writeFileSync(inside("src", name), "");
      const error: unknown = await files.read("src/indx.ts").catch((caught: unknown) => caught);
      expect(error)
        .to.be.instanceOf(ToolError)
        .and.include({ code: "file_not_found", message: '"src/indx.ts" does not exist.' });
      expect((error as ToolError).hint).to.match(/^Close to it: (src\/[a-z.]+, ){2}src\/[a-z.]+$/);
      expect((error as ToolError).hint).to.include("src/index.ts");
      const folder: unknown = await files.list("scr/deep/er").catch((caught: unknown) => caught);
      expect((folder as ToolError).hint).to.not.include("/scr");
    });

    it("names no close path that nobody may see", async () => {
      const around = createFiles({
        ...at.rules,
        workingDirectory: at.root,
        mayReach: () => false,
        backupDays: () => 7,
        clock: { now: () => noon },
      });
      const error: unknown = await around.read("dat").catch((caught: unknown) => caught);
      expect((error as ToolError).hint).to.equal("List the folder to see what is there.");
    });

    it("says plainly when a folder is read or a file is listed", async () => {
      expect(await codeOf(files.read("."))).to.equal("invalid_value");
      expect(await codeOf(files.list("a.txt"))).to.equal("invalid_value");
      expect(await codeOf(files.read("a.txt/x"))).to.equal("invalid_value");
    });

    it("B5: refuses a path through thousands of folders, which would hold up everybody", async () => {
      expect(await codeOf(files.write(`${"a/".repeat(2000)}b`, "x"))).to.equal("invalid_value");
      expect(await codeOf(files.readText(`${"a/".repeat(2000)}b`))).to.equal("invalid_value");
      expect(existsSync(inside("a"))).to.equal(false);
    });

    it("B5: refuses pipes, sockets and devices without waiting for them", async () => {
      execFileSync("mkfifo", [inside("pipe")]);
      const server = net.createServer().listen(inside("socket"));
      const anywhere = filesOf(at, { mayReach: () => true });
      for (const given of ["pipe", "socket", "/dev/zero", "/dev/null"])
        expect(await codeOf(anywhere.read(given)), given).to.equal("invalid_value");
      expect(await codeOf(anywhere.write("pipe", "x"))).to.equal("invalid_value");
      expect(lstatSync(inside("pipe")).isFIFO()).to.equal(true);
      await new Promise((resolve) => server.close(resolve));
    });
  });

  describe("confinement", () => {
    it("goes outside only where the call was allowed to", async () => {
      const notes = path.join(at.outside, "notes.txt");
      expect(await codeOf(files.read(notes))).to.equal("permission_denied");
      expect(await codeOf(files.write(notes, "x"))).to.equal("permission_denied");
      const allowed = filesOf(at, { mayReach: (real) => real === notes });
      expect(await allowed.readText(notes)).to.equal("OUTSIDE");
      expect(await codeOf(allowed.list(at.outside))).to.equal("permission_denied");
    });

    it("CVE-2025-53109: neither reads, makes, lists nor removes through a link that leads out", async () => {
      symlinkSync(at.outside, inside("l"));
      const tries = [
        files.read("l/notes.txt"),
        files.write("l/x", "x"),
        files.list("l"),
        files.remove("l/notes.txt"),
        files.makeDirectory("l/d"),
      ];
      for (const attempt of [...tries, files.rename("a.txt", "l/a.txt"), files.rename("l/notes.txt", "n")])
        expect(await codeOf(attempt)).to.equal("permission_denied");
      expect(contents(at.outside)).to.deep.equal({ "notes.txt": "OUTSIDE" });
    });

    it("A25: opens the data directory to no method, allowed or not", async () => {
      const anywhere = filesOf(at, { mayReach: () => true });
      const secret = path.join(at.data, "secrets.json");
      const tries = [
        anywhere.read(secret),
        anywhere.write(secret, "x"),
        anywhere.stat(secret),
        anywhere.list(at.data),
        anywhere.remove(secret),
      ];
      const moves = [
        anywhere.rename(secret, "s"),
        anywhere.rename("a.txt", path.join(at.data, "a")),
        anywhere.makeDirectory(path.join(at.data, "d")),
      ];
      for (const attempt of [...tries, ...moves]) expect(await codeOf(attempt)).to.equal("permission_denied");
      expect(readFileSync(secret, "utf8")).to.equal("SECRET");
    });

    it("A25: does not move a folder that holds the data directory", async () => {
      const around = createFiles({
        ...at.rules,
        workingDirectory: path.dirname(at.root),
        mayReach: () => true,
        backupDays: () => 0,
        clock: { now: () => noon },
      });
      expect(await codeOf(around.rename(at.root, `${at.root}-moved`))).to.equal("permission_denied");
    });

    it("removes and renames a link itself, not what it leads to", async () => {
      symlinkSync(path.join(at.outside, "notes.txt"), inside("l"));
      await files.rename("l", "k");
      await files.remove("k");
      expect(readdirSync(at.work)).to.deep.equal(["a.txt"]);
      expect(contents(at.outside)).to.deep.equal({ "notes.txt": "OUTSIDE" });
    });

    it("handles a link outside when the call was allowed to reach what it leads to", async () => {
      const link = path.join(at.outside, "l");
      symlinkSync(at.home, link);
      const allowed = filesOf(at, { mayReach: (real) => real === at.home });
      expect(await allowed.stat(link)).to.include({ kind: "link" });
    });

    it("leaves no descriptor open, whatever happens", async () => {
      symlinkSync(at.outside, inside("l"));
      const once = async () => {
        for (const given of ["a.txt", "none", "l/notes.txt", ".", "a.txt/x"]) {
          await Promise.allSettled([
            files.read(given),
            files.list(given),
            files.stat(given),
            files.write(`${given}/y`, "x"),
            files.remove("none"),
          ]);
        }
        await Promise.allSettled([
          files.writeAll([
            { path: "n/m/o", content: "1" },
            { path: "n/m/o", content: "2", create: true },
          ]),
          files.rename("a.txt", "l"),
        ]);
      };
      await once();
      const before = openDescriptors();
      for (let round = 0; round < 20; round += 1) await once();
      expect(openDescriptors()).to.be.at.most(before);
    });
  });
});
