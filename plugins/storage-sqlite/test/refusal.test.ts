import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { openLastingDatabase } from "@pergola/kit-storage/directory";
import { temporaryFolder } from "@pergola/sdk/testing";
import { crashedFolder } from "./support/crashed-folder.ts";
import { startHost } from "./support/host-process.ts";
import { openBuilt } from "./support/open-built.ts";
import { refusalOf } from "./support/refusal-of.ts";

/** What the database and its log hold, byte by byte. */
const contents = (dataDirectory: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(dataDirectory)
      .filter((name) => /^pergola\.db(-wal)?$/.test(name))
      .map((name) => [name, readFileSync(path.join(dataDirectory, name), "base64")] as const)
      .filter(([, bytes]) => bytes !== ""),
  );

async function closedFolder(count = 200): Promise<string> {
  const dataDirectory = temporaryFolder();
  const storage = await openBuilt(dataDirectory);
  const lines = storage.collection<{ readonly id: string; readonly body: string }>("lines", {
    indexes: ["body"],
  });
  await Promise.all(
    Array.from({ length: count }, (_, number) =>
      lines.put({ id: `line-${number}`, body: `${number}`.repeat(300) }),
    ),
  );
  await storage.close();
  return dataDirectory;
}

/** A data directory whose log holds only what changed since its database was last closed. */
async function changedFolder(): Promise<string> {
  const dataDirectory = await closedFolder();
  const host = await startHost(dataDirectory);
  await host.line();
  await host.ask("put another");
  await host.kill();
  return dataDirectory;
}

const overwrite = (file: string, from: number, bytes: Buffer): void => {
  const content = readFileSync(file);
  bytes.copy(content, from);
  writeFileSync(file, content);
};

const inDatabase = (file: string, sql: string): void => {
  const database = openLastingDatabase(file);
  database.exec(sql);
  database.close();
};

type Damage = (file: string, dataDirectory: string) => void | Promise<void>;

const damages: readonly (readonly [string, () => Promise<string>, Damage, RegExp])[] = [
  [
    "a garbage header",
    closedFolder,
    (file) => overwrite(file, 0, Buffer.alloc(100, "garbage!")),
    /is not a database/,
  ],
  [
    "a file of text",
    closedFolder,
    (file) => writeFileSync(file, "not a database at all\n".repeat(100)),
    /is not a database/,
  ],
  [
    "a page of 0xFF",
    closedFolder,
    (file) => overwrite(file, 3 * 4096, Buffer.alloc(4096, 0xff)),
    /is damaged/,
  ],
  ["a page of zeros", closedFolder, (file) => overwrite(file, 2 * 4096, Buffer.alloc(4096)), /is damaged/],
  ["a file that was cut off", closedFolder, (file) => truncateSync(file, 3 * 4096), /is damaged/],
  [
    "an emptied file whose log has its writes",
    crashedFolder,
    (file) => truncateSync(file, 0),
    /missing or empty/,
  ],
  ["a log without its database", crashedFolder, (file) => rmSync(file), /missing or empty/],
  [
    "the log of another database",
    changedFolder,
    async (file) => {
      const other = await closedFolder(500);
      copyFileSync(path.join(other, "pergola.db"), file);
    },
    /is damaged/,
  ],
  [
    "a later format (F24)",
    closedFolder,
    (file) => inDatabase(file, "PRAGMA user_version = 7"),
    /later Pergola \(format 7; this one knows formats up to 1\)/,
  ],
  [
    "the database of another program",
    closedFolder,
    (file) => {
      rmSync(file);
      inDatabase(file, "CREATE TABLE bookmarks (url)");
    },
    /another program/,
  ],
];

describe("refusing to open (F8)", function () {
  this.timeout(20_000);

  for (const [kind, prepare, damage, reason] of damages) {
    it(`refuses ${kind} in one line that names the file, and leaves it as it was`, async () => {
      const dataDirectory = await prepare();
      const file = path.join(dataDirectory, "pergola.db");
      await damage(file, dataDirectory);
      const before = contents(dataDirectory);
      const refusal = await refusalOf(dataDirectory);
      expect(refusal.message).to.match(reason);
      expect(refusal.message).to.include(file);
      expect(refusal.message).to.not.include("\n");
      expect(refusal.remedy).to.not.equal("");
      expect(contents(dataDirectory)).to.deep.equal(before);
      await refusalOf(dataDirectory);
    });
  }

  it("refuses a folder in the place of the file", async () => {
    const dataDirectory = temporaryFolder();
    spawnSync("mkdir", [path.join(dataDirectory, "pergola.db")]);
    expect((await refusalOf(dataDirectory)).message).to.include("pergola.db");
  });

  it("refuses a file that its user may not write", async function () {
    const dataDirectory = await closedFolder();
    const uid = process.getuid?.() === 0 ? 65534 : undefined;
    chmodSync(path.join(dataDirectory, "pergola.db"), 0o444);
    for (const name of ["", "pergola.lock"])
      if (uid !== undefined) chownSync(path.join(dataDirectory, name), uid, uid);
    const before = contents(dataDirectory);
    const host = await startHost(dataDirectory, { uid });
    expect(await host.line()).to.match(/refused .*pergola\.db cannot be read and written by this user/);
    await host.stop();
    expect(contents(dataDirectory)).to.deep.equal(before);
  });

  it("refuses a file that another program keeps locked", async () => {
    const dataDirectory = await closedFolder();
    const other = openLastingDatabase(path.join(dataDirectory, "pergola.db"));
    other.pragma("locking_mode = EXCLUSIVE");
    other.exec("BEGIN EXCLUSIVE");
    expect((await refusalOf(dataDirectory)).message).to.match(/locked by another program/);
    other.close();
    await (await openBuilt(dataDirectory)).close();
  });

  it("takes an empty file for a new database, and a log left by a crash for what it is", async () => {
    const empty = temporaryFolder();
    writeFileSync(path.join(empty, "pergola.db"), "");
    await (await openBuilt(empty)).close();
    const dataDirectory = await crashedFolder();
    expect(statSync(path.join(dataDirectory, "pergola.db-wal")).size).to.be.greaterThan(0);
    const storage = await openBuilt(dataDirectory);
    expect(await storage.collection("lines", { indexes: [] }).count({})).to.equal(5);
    await storage.close();
  });

  const settings: readonly (readonly [object, RegExp])[] = [
    [{ file: "../pergola.db" }, /storage\.file/],
    [{ file: "/tmp/x.db" }, /storage\.file/],
    [{ file: "" }, /storage\.file/],
    [{ file: 7 }, /storage\.file/],
    [{ file: "pergola.lock" }, /storage\.file/],
    [{ durability: "none" }, /storage\.durability/],
    [{ path: "x" }, /storage\.path/],
  ];
  for (const [setting, reason] of settings) {
    it(`refuses the setting ${JSON.stringify(setting)}`, async () => {
      const dataDirectory = temporaryFolder();
      expect((await refusalOf(dataDirectory, { ...setting })).message).to.match(reason);
      expect(readdirSync(dataDirectory)).to.deep.equal([]);
    });
  }
});
