import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { setImmediate } from "node:timers/promises";
import { expect } from "chai";
import { openLastingDatabase } from "../directory/lasting-database.ts";

describe("a kept database", () => {
  it("is never collected, nor is a statement of it, even when it is closed", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const references = (() => {
      const database = openLastingDatabase(":memory:");
      database.pragma("trusted_schema = OFF");
      const made = [database, database.prepare("SELECT 1"), {}];
      database.close();
      return made.map((one) => new WeakRef(one));
    })();
    for (let turn = 0; turn < 3; turn++) {
      await setImmediate();
      collect();
    }
    expect(references.map((reference) => reference.deref() !== undefined)).to.deep.equal([true, true, false]);
  });

  it("answers a pragma with all rows, or with its one value", () => {
    const database = openLastingDatabase(":memory:");
    expect(database.pragma("user_version = 7")).to.not.equal(undefined);
    expect(database.pragma("user_version")).to.deep.equal([{ user_version: 7 }]);
    expect(database.pragma("user_version", { simple: true })).to.equal(7);
    database.close();
  });
});
