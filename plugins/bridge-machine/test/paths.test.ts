import { expect } from "chai";
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isClosed, resolvePath } from "../paths.ts";
import { codeOf, folders, type Folders } from "./folders.ts";

describe("resolvePath", () => {
  let at: Folders;
  const resolve = (given: string) => resolvePath(given, at.rules);
  const refusal = (given: string) => codeOf(() => resolve(given));

  beforeEach(() => {
    at = folders();
  });

  it("takes relative, absolute and home paths", () => {
    expect(resolve("a/b.txt")).to.deep.equal({
      requestedPath: "a/b.txt",
      real: path.join(at.work, "a/b.txt"),
      place: "inside",
      exists: false,
    });
    expect(resolve(path.join(at.work, "x"))).to.include({ place: "inside" });
    expect(resolve(".")).to.include({ real: at.work, place: "inside", exists: true });
    expect(resolve("a/../b//./c")).to.include({ real: path.join(at.work, "b/c") });
    expect(resolve("~/x")).to.include({ real: path.join(at.home, "x"), place: "outside" });
    expect(resolve("~")).to.include({ real: at.home, exists: true });
  });

  it("takes ~user, file: and a name with dots as plain names", () => {
    for (const name of ["~root", "file:/etc/passwd", "...", "..x", "a..b", " ", "-rf", "a\nb", "C:\\x"]) {
      expect(resolve(name)).to.include({ real: path.join(at.work, name), place: "inside" });
    }
  });

  it("refuses the empty path and NUL", async () => {
    for (const given of ["", "\0", "a\0.txt", "/etc/passwd\0.png"])
      expect(await refusal(given), JSON.stringify(given)).to.equal("invalid_value");
  });

  it("refuses a name that no file can have", async () => {
    expect(await refusal("x".repeat(4097))).to.equal("invalid_value");
    expect(await refusal("x/".repeat(3000))).to.equal("invalid_value");
  });

  it("CVE-2025-53110, CVE-2025-54794, A09: a sibling with the same beginning is outside", async () => {
    mkdirSync(`${at.work}-evil`);
    writeFileSync(path.join(`${at.work}-evil`, "x"), "x");
    expect(await refusal("../ws-evil/x")).to.equal("path_escape");
    expect(resolve(path.join(`${at.work}-evil`, "x"))).to.include({ place: "outside", exists: true });
  });

  it("refuses relative paths that leave the working directory", async () => {
    const ways = [
      "..",
      "../",
      "../..",
      "a/../..",
      "a/../../ws-evil",
      "./../outside/notes.txt",
      "a/b/../../../x",
      "..//ws/../outside",
      "../../../../etc/passwd",
    ];
    for (const given of ways) expect(await refusal(given), given).to.equal("path_escape");
    expect(resolve("../ws/a")).to.include({ place: "inside" });
  });

  it("CVE-2025-53109, A08: what a link leads to decides, not its name", () => {
    symlinkSync(at.outside, path.join(at.work, "l"));
    symlinkSync("l", path.join(at.work, "l2"));
    for (const given of ["l", "l/notes.txt", "l2/notes.txt", "l/new.txt", "l/new/deep.txt"])
      expect(resolve(given), given).to.include({ place: "outside" });
    expect(resolve("l2/new.txt").real).to.equal(path.join(at.outside, "new.txt"));
  });

  it("follows a link that stays inside", () => {
    mkdirSync(path.join(at.work, "real"));
    symlinkSync("real", path.join(at.work, "l"));
    expect(resolve("l/x")).to.include({ real: path.join(at.work, "real/x"), place: "inside" });
  });

  it("takes a dangling link for the place it leads to", () => {
    symlinkSync(path.join(at.outside, "missing"), path.join(at.work, "out"));
    symlinkSync("missing/deep", path.join(at.work, "in"));
    symlinkSync("out", path.join(at.work, "twice"));
    expect(resolve("out")).to.include({
      real: path.join(at.outside, "missing"),
      place: "outside",
      exists: false,
    });
    expect(resolve("twice/x")).to.include({ real: path.join(at.outside, "missing/x"), place: "outside" });
    expect(resolve("in")).to.include({ real: path.join(at.work, "missing/deep"), place: "inside" });
  });

  it("gives up on circles of links, also on those through missing folders", async () => {
    symlinkSync("b", path.join(at.work, "a"));
    symlinkSync("a", path.join(at.work, "b"));
    symlinkSync("missing/../c", path.join(at.work, "c"));
    for (const given of ["a", "a/x", "c"]) expect(await refusal(given), given).to.equal("permission_denied");
  });

  it("leaves a final link alone when the entry itself is meant", () => {
    symlinkSync(at.outside, path.join(at.work, "l"));
    expect(resolvePath("l", at.rules, false)).to.include({
      real: path.join(at.work, "l"),
      place: "inside",
      exists: true,
    });
  });

  it("knows the working directory by its real path", () => {
    symlinkSync(at.work, path.join(at.root, "alias"));
    const alias = { ...at.rules, workingDirectory: path.join(at.root, "alias") };
    expect(resolvePath("x", alias)).to.include({ real: path.join(at.work, "x"), place: "inside" });
    expect(resolvePath(path.join(at.work, "x"), alias)).to.include({ place: "inside" });
  });

  it("A25: keeps the data directory closed but for the person's folders", async () => {
    for (const name of [
      "",
      "secrets.json",
      "new.json",
      "logs/today.log",
      "workspacesX/a",
      "workspaces/../secrets.json",
      "Workspaces/a",
    ]) {
      expect(await refusal(path.join(at.data, name)), name).to.equal("permission_denied");
    }
    for (const name of [
      "workspaces/a/b",
      "calendars/c.ics",
      "contacts/c.vcf",
      "notes/n.md",
      "models/m.gguf",
    ]) {
      expect(resolve(path.join(at.data, name)), name).to.include({ place: "outside" });
    }
  });

  it("A25, CVE-2026-25724: reaches no secret by a link, .., another case or a hard link", async () => {
    symlinkSync(at.data, path.join(at.work, "folder"));
    symlinkSync(path.join(at.data, "secrets.json"), path.join(at.work, "file"));
    linkSync(path.join(at.data, "secrets.json"), path.join(at.work, "hard"));
    linkSync(path.join(at.data, "secrets.json"), path.join(at.outside, "hard"));
    const ways = [
      "folder",
      "folder/secrets.json",
      "folder/new",
      "file",
      "hard",
      path.join(at.outside, "hard"),
      path.join(at.outside, "../data/secrets.json"),
    ];
    for (const given of [...ways, path.join(at.root, "DATA", "Secrets.JSON")])
      expect(await refusal(given), given).to.equal("permission_denied");
  });

  it("lets a working directory lie in the data directory's workspaces, or around the data directory", async () => {
    const own = { ...at.rules, workingDirectory: path.join(at.data, "workspaces") };
    expect(resolvePath("a.txt", own)).to.include({ place: "inside" });
    expect(await codeOf(() => resolvePath(path.join(at.data, "secrets.json"), own))).to.equal(
      "permission_denied",
    );
    const around = { ...at.rules, workingDirectory: at.root };
    expect(resolvePath("outside/notes.txt", around)).to.include({ place: "inside" });
    expect(await codeOf(() => resolvePath("data/secrets.json", around))).to.equal("permission_denied");
  });

  it("closes the memory and environment of processes", async () => {
    const ways = [
      "/proc/self/environ",
      `/proc/${process.pid}/environ`,
      "/proc/self/fd",
      "/proc/thread-self/environ",
      "/proc/1/environ",
    ];
    for (const given of ways) expect(await refusal(given), given).to.equal("permission_denied");
    expect(resolve("/proc/self/cwd/package.json")).to.include({
      real: path.join(process.cwd(), "package.json"),
    });
    expect(isClosed("/proc/meminfo", at.data)).to.equal(false);
  });

  it("S20: reaches no file of a folder in the data directory by a hard link, a new one neither", async () => {
    const folder = path.join(at.data, "plugins", "deep", "down");
    mkdirSync(folder, { recursive: true });
    for (const name of ["first", "second"]) {
      writeFileSync(path.join(folder, name), "secret");
      linkSync(path.join(folder, name), path.join(at.work, name));
      expect(await refusal(name)).to.equal("permission_denied");
    }
  });

  it("does not mistake an ordinary hard link for one of its own files", () => {
    writeFileSync(path.join(at.work, "one"), "x");
    linkSync(path.join(at.work, "one"), path.join(at.work, "two"));
    expect(resolve("two")).to.include({ place: "inside", exists: true });
  });
});
