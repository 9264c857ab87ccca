import { existsSync } from "node:fs";
import { expect } from "chai";
import type { Database } from "better-sqlite3";
import { openLastingDatabase } from "@pergola/kit-storage/directory";
import { temporaryFolder } from "@pergola/sdk/testing";
import { formats, type FormatStep } from "../worker/formats.ts";
import { backupOf, migrate } from "../worker/migrate.ts";

const addTable: FormatStep = (database) =>
  void database.exec("CREATE TABLE later (x); INSERT INTO later VALUES (1)");
const change: FormatStep = (database) => void database.exec("UPDATE blobs SET id = 'changed'");
const fail: FormatStep = () => {
  throw new Error("the power went out");
};

describe("migration (F24)", () => {
  const opened = () => {
    const file = `${temporaryFolder()}/pergola.db`;
    const database = openLastingDatabase(file);
    migrate(database, file);
    database.exec("INSERT INTO blobs (id, bytes) VALUES ('kept', x'01')");
    return { file, database };
  };
  const format = (database: Database): unknown => database.pragma("user_version", { simple: true });
  const ids = (database: Database): unknown => database.prepare("SELECT id FROM blobs").pluck().all();

  it("brings an old file to the newest format, and keeps a copy of the old one", () => {
    const { file, database } = opened();
    migrate(database, file, [...formats, change, addTable]);
    expect([format(database), ids(database)]).to.deep.equal([formats.length + 2, ["changed"]]);
    const backup = openLastingDatabase(backupOf(file, formats.length), { readonly: true });
    expect([format(backup), ids(backup), backup.pragma("quick_check", { simple: true })]).to.deep.equal([
      formats.length,
      ["kept"],
      "ok",
    ]);
    expect(backup.pragma("application_id", { simple: true })).to.equal(
      database.pragma("application_id", { simple: true }),
    );
    backup.close();
    database.close();
  });

  it("leaves the old format whole when a step is interrupted, and goes on at the next start", () => {
    const { file, database } = opened();
    expect(() => migrate(database, file, [...formats, change, addTable, fail])).to.throw(
      "the power went out",
    );
    expect([format(database), ids(database)]).to.deep.equal([formats.length, ["kept"]]);
    expect(database.prepare("SELECT name FROM sqlite_schema WHERE name = 'later'").get()).to.equal(undefined);
    migrate(database, file, [...formats, change, addTable]);
    expect([format(database), ids(database)]).to.deep.equal([formats.length + 2, ["changed"]]);
    database.close();
  });

  it("does nothing to a file of the newest format, and makes no copy of an empty one", () => {
    const { file, database } = opened();
    const before = database.pragma("data_version", { simple: true });
    migrate(database, file);
    expect(database.pragma("data_version", { simple: true })).to.equal(before);
    expect(existsSync(backupOf(file, 0))).to.equal(false);
    database.close();
  });
});
