import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { chatReply } from "@pergola/sdk/testing";
import { CuttingProxy } from "../../plugins/storage-postgres/test/support/cutting-proxy.ts";
import {
  needsPostgres,
  PostgresServer,
} from "../../plugins/storage-postgres/test/support/postgres-server.ts";
import { chat, detailOf, user } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";

interface Way {
  readonly name: string;
  readonly message: RegExp;
  readonly takeAway: () => Promise<unknown>;
  readonly giveBack: () => Promise<unknown>;
}

/** A database that is taken away while the service works, in each way that a client may notice. */
describe("a PostgreSQL that is away, as clients see it", function () {
  this.timeout(120_000);
  let server: PostgresServer;
  let proxy: CuttingProxy;
  let stage: Stage;

  before(needsPostgres);
  before(async () => {
    server = await PostgresServer.start();
    proxy = await CuttingProxy.start(server.folder);
    await server.query("CREATE ROLE service LOGIN");
    await server.query("CREATE DATABASE garden OWNER service");
    const url = proxy.url().replace("pergola@/postgres", "service@/garden");
    stage = await openStage(() => chatReply({ text: "Yes." }), {
      settings: {
        storage: {
          type: "postgres",
          url,
          schema: "s",
          wait_seconds: 0,
          statement_seconds: 1,
          host_timeout_seconds: 3,
        },
      },
    });
  });
  after(async () => {
    await stage?.end();
    await proxy?.stop();
    await server?.stop();
  });

  const cut = () => server.endConnections();
  /** What is changed holds for connections from now on. */
  const change = (statement: string) => async () => {
    await server.query(statement);
    await cut();
  };
  const answering = /The database does not answer\.|The database is busy or does not answer\./;
  const ways: readonly Way[] = [
    {
      name: "stopped by its administrator",
      message: answering,
      takeAway: () => server.end("SIGINT"),
      giveBack: () => server.begin(),
    },
    {
      name: "crashed",
      message: answering,
      takeAway: () => server.end("SIGQUIT"),
      giveBack: () => server.begin(),
    },
    {
      name: "cut off without a word",
      message: /The database (does not answer|took too long|went away before it answered)/,
      takeAway: async () => proxy.freeze(true),
      giveBack: async () => {
        proxy.freeze(false);
        await proxy.drop();
      },
    },
    {
      name: "out of connections",
      message: answering,
      takeAway: change("ALTER ROLE service CONNECTION LIMIT 0"),
      giveBack: change("ALTER ROLE service CONNECTION LIMIT -1"),
    },
    {
      name: "closed to its user",
      message: /The database refuses the service\./,
      takeAway: change("ALTER ROLE service NOLOGIN"),
      giveBack: change("ALTER ROLE service LOGIN"),
    },
    {
      name: "gone under another name",
      message: /The database is not there\./,
      takeAway: async () => {
        await server.query("ALTER ROLE service NOLOGIN");
        await cut();
        await server.query("ALTER DATABASE garden RENAME TO orchard");
        await server.query("ALTER ROLE service LOGIN");
      },
      giveBack: change("ALTER DATABASE orchard RENAME TO garden"),
    },
    {
      name: "read-only, as a standby is",
      message: /The database is read-only; nothing was written\./,
      takeAway: change("ALTER DATABASE garden SET default_transaction_read_only = on"),
      giveBack: change("ALTER DATABASE garden RESET default_transaction_read_only"),
    },
  ];

  const say = (conversationId: string) =>
    chat(stage, { messages: [user("Do you hear me?")], conversationId });
  const isWell = async () =>
    (await stage.host.json<{ status: string }>("GET", "/health")).body.status === "ok";
  const kept: string[] = [];

  async function saidAgain(id: string): Promise<void> {
    for (;;) {
      const { status } = await say(id);
      if (status === 200 && (await isWell())) return void kept.push(id);
      await setTimeout(200);
    }
  }

  for (const [at, { name, message, takeAway, giveBack }] of ways.entries())
    it(`${name}: 503 with Retry-After and the reason, and goes on by itself`, async () => {
      await saidAgain(`before-${at}`);
      await takeAway();
      try {
        for (let seen = ""; !message.test(seen); await setTimeout(100)) {
          const { status, headers, body } = await say(`refused-${at}`);
          expect([status, body.error.code]).to.deep.equal([503, "storage_unavailable"]);
          expect(Number(headers.get("retry-after"))).to.be.within(1, 60);
          seen = body.error.message;
        }
      } finally {
        await giveBack();
      }
      await saidAgain(`after-${at}`);
      for (const id of kept)
        expect(
          (await detailOf(stage.host, id)).messages.slice(0, 2).map(({ role }) => role),
          id,
        ).to.deep.equal(["user", "assistant"]);
    });
});
