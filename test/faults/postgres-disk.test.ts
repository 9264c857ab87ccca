import { execFileSync } from "node:child_process";
import { chownSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { chatReply, temporaryFolder } from "@pergola/sdk/testing";
import {
  needsPostgres,
  PostgresServer,
} from "../../plugins/storage-postgres/test/support/postgres-server.ts";
import { chat, detailOf, user } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";

interface Health {
  readonly status: string;
}

/** The tables are on a small disk, which others fill; the log of the database is elsewhere. */
describe("a full disk of PostgreSQL", function () {
  this.timeout(60_000);
  let disk = "";
  let server: PostgresServer;
  let stage: Stage;

  before(needsPostgres);
  before(async function () {
    disk = temporaryFolder("pergola-small-disk-");
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=48m", "tmpfs", disk], { stdio: "ignore" });
    } catch {
      disk = "";
      process.stderr.write(
        "    the tests with a small disk are left out: they need root, and mount of the package util-linux\n",
      );
      this.skip();
    }
    server = await PostgresServer.start();
    const { uid, gid } = statSync(server.folder);
    chownSync(disk, uid, gid);
    await server.query(`CREATE TABLESPACE small LOCATION '${disk}'`);
    await server.query("ALTER DATABASE postgres SET default_tablespace = small");
    stage = await openStage(() => chatReply({ text: "Yes." }), {
      settings: { storage: { ...server.settings() } },
    });
  });
  after(async () => {
    await stage?.end();
    await server?.stop();
    if (disk !== "") execFileSync("umount", ["-l", disk]);
  });

  const filler = (): string => path.join(disk, "filler");
  const health = async (): Promise<readonly [number, string]> => {
    const { status, body } = await stage.host.json<Health>("GET", "/health");
    return [status, body.status];
  };
  const say = (conversationId: string, content: string) =>
    chat(stage, { messages: [user(content)], conversationId });

  it("is said by the error and by /health; what was acknowledged is kept, and it works again after", async () => {
    const text = (number: number): string =>
      `${number} ${Array.from({ length: 6000 }, (_, at) => ((at + 1) * (number + 7919)).toString(36)).join(" ")}`;
    expect((await say("first", text(0))).status).to.equal(200);
    expect(await health()).to.deep.equal([200, "ok"]);
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(filler(), Buffer.alloc(bavail * bsize - 400_000));
    const kept = ["first"];
    let refused: Awaited<ReturnType<typeof say>> | undefined;
    for (let number = 1; refused === undefined && number < 200; number += 1) {
      const answer = await say(`c${number}`, text(number));
      if (answer.status === 200) kept.push(`c${number}`);
      else refused = answer;
    }
    expect(refused?.status).to.equal(503);
    expect(refused?.body.error).to.include({
      code: "storage_unavailable",
      message: "The disk of the database is full; nothing was written.",
    });
    expect((await health())[1]).to.equal("degraded");
    for (const id of kept)
      expect(
        (await detailOf(stage.host, id)).messages.map(({ role }) => role),
        id,
      ).to.deep.equal(["user", "assistant"]);
    rmSync(filler());
    expect((await say("after", text(500))).status).to.equal(200);
    while ((await health())[1] !== "ok") await setTimeout(500);
  });
});
