import { expect } from "chai";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { type Files } from "@pergola/sdk";
import { codeOf, contents, filesOf, folders, noon, type Folders } from "./folders.ts";

describe("createFiles", () => {
  let at: Folders;
  let files: Files;
  const inside = (...parts: string[]) => path.join(at.work, ...parts);

  beforeEach(() => {
    at = folders();
    files = filesOf(at);
    writeFileSync(inside("a.txt"), "hello ünïcode");
  });

  describe("writing", () => {
    const backups = () => contents(path.join(at.data, "backups"));

    it("writes text and bytes, makes parents and says what it did", async () => {
      expect(await files.write("deep/er/new.txt", "ü")).to.deep.equal({ bytes: 2, created: true });
      expect(await files.write("a.txt", new Uint8Array([65, 66]))).to.deep.equal({
        bytes: 2,
        created: false,
      });
      expect(contents(at.work)).to.deep.equal({ "a.txt": "AB", "deep/er/new.txt": "ü" });
    });

    it("T07: keeps mode bits, and a backup in the data directory, never beside the file", async () => {
      chmodSync(inside("a.txt"), 0o754);
      await files.write("a.txt", "new");
      expect(statSync(inside("a.txt")).mode & 0o777).to.equal(0o754);
      expect(readdirSync(at.work)).to.deep.equal(["a.txt"]);
      const [[name, content] = []] = Object.entries(backups());
      expect(name)
        .to.match(/^2026-11-20\/101502\.000-[0-9a-f]{8}\//)
        .and.to.include(inside("a.txt"));
      expect(content).to.equal("hello ünïcode");
      expect(statSync(path.join(at.data, "backups")).mode & 0o777).to.equal(0o700);
    });

    it("makes new files with the permissions that the user's umask leaves", async () => {
      await files.write("new.txt", "x");
      expect(statSync(inside("new.txt")).mode & 0o777).to.equal(0o666 & ~process.umask());
    });

    it("backs up what it removes", async () => {
      await files.remove("a.txt");
      expect(existsSync(inside("a.txt"))).to.equal(false);
      expect(Object.values(backups())).to.deep.equal(["hello ünïcode"]);
    });

    it("keeps no backup with 0 days, and removes those that are too old", async () => {
      for (const day of ["2026-11-12", "2026-11-13"])
        mkdirSync(path.join(at.data, "backups", day), { recursive: true });
      await files.write("a.txt", "1");
      expect(readdirSync(path.join(at.data, "backups"))).to.deep.equal(["2026-11-13", "2026-11-20"]);
      await filesOf(at, { backupDays: () => 0 }).write("a.txt", "2");
      expect(backups()).to.not.have.any.keys("2");
      expect(Object.values(backups())).to.deep.equal(["hello ünïcode"]);
    });

    it("creates only what is not there", async () => {
      expect(await codeOf(files.write("a.txt", "x", { create: true }))).to.equal("conflict");
      expect(await files.write("b.txt", "x", { create: true })).to.include({ created: true });
      const race = await Promise.all(
        [1, 2, 3].map((turn) => codeOf(files.write("c.txt", String(turn), { create: true }))),
      );
      expect(race.filter((outcome) => outcome === "conflict")).to.have.length(2);
    });

    it("replaces a hard link's name and leaves the other names as they were", async () => {
      linkSync(inside("a.txt"), path.join(at.outside, "twin"));
      await files.write("a.txt", "new");
      expect(readFileSync(path.join(at.outside, "twin"), "utf8")).to.equal("hello ünïcode");
    });

    it("writes through a link to what it leads to", async () => {
      symlinkSync("a.txt", inside("l"));
      await files.write("l", "new");
      expect(lstatSync(inside("l")).isSymbolicLink()).to.equal(true);
      expect(readFileSync(inside("a.txt"), "utf8")).to.equal("new");
    });

    it("makes folders, and says whether it had to", async () => {
      expect(await files.makeDirectory("x/y/z")).to.deep.equal({ created: true });
      expect(await files.makeDirectory("x/y")).to.deep.equal({ created: false });
      expect(await codeOf(files.makeDirectory("a.txt"))).to.equal("invalid_value");
      expect(await codeOf(files.makeDirectory("a.txt/b"))).to.equal("invalid_value");
    });

    it("renames, makes parents and never overwrites", async () => {
      writeFileSync(inside("b.txt"), "b");
      expect(await codeOf(files.rename("a.txt", "b.txt"))).to.equal("conflict");
      expect(await codeOf(files.rename("none.txt", "c.txt"))).to.equal("file_not_found");
      await files.rename("a.txt", "x/y/a.txt");
      expect(contents(at.work)).to.deep.equal({ "b.txt": "b", "x/y/a.txt": "hello ünïcode" });
    });

    it("refuses to write or remove a folder, or below a file", async () => {
      mkdirSync(inside("d"));
      for (const attempt of [files.write("d", "x"), files.remove("d"), files.write("a.txt/b", "x")])
        expect(await codeOf(attempt)).to.equal("invalid_value");
      expect(await codeOf(files.remove("none"))).to.equal("file_not_found");
    });
  });

  describe("several changes", () => {
    it("T08: makes all of them", async () => {
      writeFileSync(inside("b.txt"), "b");
      await files.writeAll([
        { path: "a.txt", content: "A" },
        { path: "b.txt" },
        { path: "n/c.txt", content: "C", create: true },
      ]);
      expect(contents(at.work)).to.deep.equal({ "a.txt": "A", "n/c.txt": "C" });
    });

    it("T08: makes none when one cannot be prepared", async () => {
      const before = contents(at.work);
      for (const bad of [
        { path: "a.txt", content: "x", create: true },
        { path: "none" },
        { path: "../x", content: "x" },
        { path: ".", content: "x" },
      ]) {
        expect(
          await codeOf(
            files.writeAll([{ path: "new.txt", content: "1" }, { path: "a.txt", content: "2" }, bad]),
          ),
          bad.path,
        ).to.not.include("no error");
        expect(contents(at.work), bad.path).to.deep.equal(before);
      }
    });

    it("T08: takes back what was done when a later rename fails", async () => {
      for (const name of ["b.txt", "c.txt", "d.txt"]) writeFileSync(inside(name), name);
      chmodSync(inside("b.txt"), 0o751);
      let looks = 0;
      // The fourth backup is the last thing before the renames: d.txt becomes a folder behind the door's
      // back.
      const clock = {
        now: () => (
          (looks += 1) === 4 &&
            (rmSync(inside("d.txt")), mkdirSync(inside("d.txt", "full"), { recursive: true })),
          noon
        ),
      };
      const changes = [
        { path: "new.txt", content: "N" },
        { path: "a.txt", content: "A" },
        { path: "b.txt", content: "B" },
        { path: "c.txt" },
        { path: "d.txt", content: "D" },
      ];
      const outcome = await codeOf(filesOf(at, { clock }).writeAll(changes));
      expect(looks).to.equal(4);
      expect(outcome).to.not.include("no error");
      expect(contents(at.work)).to.deep.equal({
        "a.txt": "hello ünïcode",
        "b.txt": "b.txt",
        "c.txt": "c.txt",
      });
      expect(statSync(inside("b.txt")).mode & 0o777).to.equal(0o751);
      expect(readdirSync(at.work).toSorted()).to.deep.equal(["a.txt", "b.txt", "c.txt", "d.txt"]);
    });
  });
});
