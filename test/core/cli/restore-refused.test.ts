import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { openProject, type Project } from "../../support/pergola.ts";
import { entriesOf, pack, type Packed } from "../../support/repack.ts";

type Manifest = Record<string, unknown> & { readonly files: readonly object[] };

describe("pergola restore", function () {
  this.timeout(120_000);
  let project: Project;
  let saved: string;
  before(async () => {
    project = await openProject();
    await project.run(["run", "Paint the fence"]);
    mkdirSync(path.join(project.data, "notes"));
    writeFileSync(path.join(project.data, "notes", "Fence.md"), "Green paint");
    saved = path.join(project.folder, "saved.tar.gz");
    expect((await project.run(["backup", saved])).code).to.equal(0);
    writeFileSync(path.join(project.data, "notes", "Fence.md"), "Blue paint");
  });
  after(() => project.close());

  /**
   * All that lies in the data directory, with contents and times, and what lies beside it. Whoever looks at a
   * database makes the memory that SQLite shares.
   */
  const state = (): unknown => {
    const names = readdirSync(project.data, { recursive: true, encoding: "utf8" }).toSorted();
    const lasting = names.filter((name) => name !== "pergola.db-shm");
    const facts = lasting.map((name) => {
      const full = path.join(project.data, name);
      const { mtimeMs, mode } = statSync(full);
      return statSync(full).isFile() ? [name, mode, mtimeMs, readFileSync(full, "base64")] : [name, mode];
    });
    return { facts, beside: readdirSync(path.dirname(project.data)) };
  };

  /** Restores an archive that must be refused, with this in the line that says why. */
  const refuses = async (archive: string, reason: string): Promise<void> => {
    const before = state();
    const { code, stdout, stderr } = await project.run(["restore", archive, "--yes", "--json"]);
    expect(stderr).to.include(reason);
    expect([code, stdout, stderr.trim().split("\n").length]).to.deep.equal([2, "", 1]);
    expect(state()).to.deep.equal(before);
  };

  const write = (change: (entries: readonly Packed[]) => readonly Packed[]): string => {
    const file = path.join(project.folder, "bad.tar.gz");
    pack(file, change(entriesOf(saved)));
    return file;
  };
  const add = (entry: Partial<Packed> & { readonly path: string }): string =>
    write((entries) => [{ type: "File", content: Buffer.from("x"), ...entry }, ...entries]);
  const withManifest = (change: (manifest: Manifest) => object): string =>
    write((entries) =>
      entries.map((entry) => {
        if (entry.path !== "manifest.json") return entry;
        const manifest = JSON.parse(entry.content.toString()) as Manifest;
        return { ...entry, content: Buffer.from(JSON.stringify(change(manifest))) };
      }),
    );

  it("refuses a file whose contents were changed", () =>
    refuses(
      write((entries) =>
        entries.map((entry) =>
          entry.path === "data/notes/Fence.md" ? { ...entry, content: Buffer.from("Black pain.") } : entry,
        ),
      ),
      "data/notes/Fence.md has been changed",
    ));

  it("refuses one that lacks a file, or has one that nobody listed", async () => {
    const lacking = write((entries) => entries.filter((entry) => entry.path !== "data/notes/Fence.md"));
    await refuses(lacking, "data/notes/Fence.md is missing");
    await refuses(add({ path: "data/extra" }), "data/extra is not in its list of files");
    await refuses(
      write((entries) => entries.filter((entry) => entry.path !== "manifest.json")),
      "it is no backup of Pergola, or not a whole one",
    );
  });

  const places = {
    "../x": "leads out of it",
    "data/../../x": "leads out of it",
    "/tmp/x": "is no path below it",
    x: "is in no backup",
  } as const;
  for (const [name, reason] of Object.entries(places))
    it(`refuses the path ${name}`, () => refuses(add({ path: name }), reason));

  for (const type of ["SymbolicLink", "Link", "CharacterDevice", "FIFO"] as const)
    it(`refuses an entry of the type ${type}`, () => {
      const isLink = type.endsWith("Link");
      const target = isLink ? { linkpath: "/etc/passwd" } : {};
      const file = add({ path: "data/link", type, content: Buffer.alloc(0), ...target });
      return refuses(file, isLink ? "is a link" : "is no ordinary file");
    });

  it("refuses the same path twice", () => refuses(add({ path: "data/notes/Fence.md" }), "is in it twice"));

  it("refuses a later format, another storage, and a manifest that is none", async () => {
    await refuses(
      withManifest((manifest) => ({ ...manifest, format: 2 })),
      "in a format that this one does not know",
    );
    await refuses(
      withManifest((manifest) => ({ ...manifest, storage: "memory" })),
      "made with the storage memory",
    );
    await refuses(
      withManifest(() => ({ format: 1 })),
      "its manifest.json cannot be read",
    );
  });

  it("refuses one that was cut off anywhere", async () => {
    const { size } = statSync(saved);
    const file = path.join(project.folder, "cut.tar.gz");
    for (const length of [0, 10, Math.floor(size / 2), size - 9]) {
      writeFileSync(file, readFileSync(saved));
      truncateSync(file, length);
      await refuses(file, "cannot be restored");
    }
  });

  it("refuses what is no archive, and no file", async () => {
    const file = path.join(project.folder, "text.txt");
    writeFileSync(file, "This is a text. ".repeat(100));
    await refuses(file, "cannot be restored");
    await refuses(path.join(project.folder, "missing"), "There is no file");
    await refuses(project.folder, "cannot be restored");
  });

  it("takes the backup itself", async () => {
    const { code } = await project.run(["restore", saved, "--yes"]);
    expect(code).to.equal(0);
    expect(readFileSync(path.join(project.data, "notes", "Fence.md"), "utf8")).to.equal("Green paint");
  });

  it("says what to do after it was killed at any of its steps, and loses neither state", async () => {
    const killer = path.join(project.folder, "kill.mjs");
    writeFileSync(
      killer,
      `import fs from "node:fs";
       import { syncBuiltinESMExports } from "node:module";
       const rename = fs.renameSync;
       let left = Number(process.env.KILL_AT);
       fs.renameSync = (from, to) => {
         if (String(from).includes("data") && left-- === 0) process.kill(process.pid, "SIGKILL");
         rename(from, to);
       };
       syncBuiltinESMExports();`,
    );
    const note = path.join(project.data, "notes", "Fence.md");
    const away = `${project.data}.restoring`;
    const killedAt = (step: number) =>
      project.run(["restore", saved, "--yes"], {
        environment: { NODE_OPTIONS: `--import=${killer}`, KILL_AT: String(step) },
      });
    writeFileSync(note, "Red paint");

    // Before the first of the two renames, and between them; one before puts the store to the other files.
    expect((await killedAt(1)).code).to.equal("SIGKILL");
    expect([readFileSync(note, "utf8"), existsSync(away)]).to.deep.equal(["Red paint", true]);
    expect((await project.run(["conversations", "list"])).code).to.equal(0);

    expect((await killedAt(2)).code).to.equal("SIGKILL");
    expect(existsSync(project.data)).to.equal(false);
    const start = await project.run(["start", "--port", "1"]);
    expect(start.code).to.equal(3);
    expect(start.stderr).to.match(/was interrupted\. What was there is whole, in (\S+)\. Repeat the restore/);
    expect(start.stderr).to.match(/mv \S+ \S+\n$/);
    expect(existsSync(project.data)).to.equal(false);
    const refused = await project.run(["restore", saved]);
    expect(refused.stderr).to.include("is in its place again");
    expect([refused.code, readFileSync(note, "utf8")]).to.deep.equal([2, "Red paint"]);

    const repeated = await project.run(["restore", saved, "--yes"]);
    expect([repeated.code, readFileSync(note, "utf8")]).to.deep.equal([0, "Green paint"]);
    expect(existsSync(away)).to.equal(false);
    expect((await project.run(["conversations", "search", "fence"])).stdout).to.include("Paint the fence");
  });
});
