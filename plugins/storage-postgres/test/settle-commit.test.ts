import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { temporaryFolder, toolContext } from "@pergola/sdk/testing";
import { Database } from "../database.ts";
import { openPostgres } from "../open-postgres.ts";
import { readSettings } from "../read-settings.ts";
import { settleCommit } from "../settle-commit.ts";
import { needsPostgres, sharedServer } from "./support/postgres-server.ts";

describe("a commit whose connection ended", () => {
  before(needsPostgres);

  it("that was not made is not taken for made, however often it is asked", async () => {
    const { log } = toolContext();
    const settings = (await sharedServer()).settings();
    await (await openPostgres({ ...settings }, { dataDirectory: temporaryFolder(), log })).close();
    const instance = randomUUID();
    const database = new Database(readSettings(settings), instance, log);
    try {
      // The answer to the first question may have been lost as well.
      expect(await settleCommit(database, "999", instance)).to.equal(false);
      expect(await settleCommit(database, "999", instance)).to.equal(false);
      await database.read("INSERT INTO changes (host, list) VALUES ($1, '[]')", [instance]);
      const [made] = await database.read<{ readonly number: string }>(
        "SELECT min(number) AS number FROM changes",
        [],
      );
      expect(await settleCommit(database, made!.number, instance)).to.equal(true);
      expect(await settleCommit(database, made!.number, randomUUID())).to.equal(false);
    } finally {
      database.refuse();
      await database.end();
    }
  });
});
