import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { openDatabase } from "../worker/connection.ts";
import { holdDatabase, refuseIfHeld } from "../worker/hold-database.ts";

describe("the note of who works on a database", function () {
  before(function () {
    if (process.platform !== "linux") this.skip();
  });

  it("counts no more once its process has ended, though nobody has asked how", async () => {
    // The shell's place is taken by a program that asks no child how it has ended.
    const parent = spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"]);
    const [line] = (await once(parent.stdout, "data")) as [Buffer];
    const pid = Number(String(line));
    const stat = (): readonly string[] => readFileSync(`/proc/${pid}/stat`, "utf8").split(" ");
    const file = path.join(temporaryFolder(), "x.db");
    const database = openDatabase(file, "process");
    try {
      holdDatabase(database, file, "one");
      const { dev, ino } = statSync(file, { bigint: true });
      database
        .prepare("UPDATE holder SET pid = ?, begun = ?, file = ?")
        .run(pid, stat()[21], `${dev}:${ino}`);
      expect(() => refuseIfHeld(database, file, "two")).to.throw(`process ${pid}`);
      process.kill(pid, "SIGKILL");
      refuseIfHeld(database, file, "two");
      expect(stat()[2]).to.equal("Z");
    } finally {
      database.close();
      parent.kill("SIGKILL");
    }
  });
});
