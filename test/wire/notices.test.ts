import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { expect } from "chai";
import OpenAI from "openai";
import { Webhook } from "standardwebhooks";
import { chatReply, temporaryFolder, type TestHostOptions } from "@pergola/sdk/testing";
import { read } from "../architecture/tree.ts";
import { ask, openStage, type Stage } from "../support/host.ts";
import { answer, calling, eventually, labCall, labPlugin, pendingIn, saying } from "../support/lab-stage.ts";
import { officialPlugins } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

interface Told {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Event {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, string>>;
}

const secret = `whsec_${Buffer.from("a key of a webhook in a test").toString("base64")}`;

/** How the settings name it. */
const kept = { env: "PERGOLA_TEST_WEBHOOK" };

describe("notices", () => {
  let stage: Stage;
  let receiver: Server;
  let port: number;
  let told: Told[];
  /** Statuses of the next answers; 200 after them. */
  let statuses: number[];

  before((done) => {
    receiver = createServer((request, response) => {
      let body = "";
      request.on("data", (piece: Buffer) => (body += piece.toString()));
      request.on("end", () => {
        told.push({ path: request.url ?? "", headers: request.headers, body });
        response.writeHead(statuses.shift() ?? 200, { location: "/elsewhere" }).end();
      });
    }).listen(0, "127.0.0.1", () => {
      port = (receiver.address() as AddressInfo).port;
      done();
    });
  });
  beforeEach(() => {
    told = [];
    statuses = [];
  });
  afterEach(() => stage.end());
  after(() => receiver.close());

  const open = async (settings: object = {}, options: TestHostOptions = {}): Promise<void> => {
    stage = await openStage(chatReply({ text: "A secret answer." }), {
      ...options,
      environment: { [kept.env]: secret },
      settings: {
        "notify.webhooks": [{ url: `http://127.0.0.1:${port}/hook`, secret: kept }],
        "tools.web.allowed_private_hosts": [`127.0.0.1:${port}`],
        ...settings,
      },
    });
  };
  const begin = async (more: object = {}) =>
    (
      await stage.host.json<{ readonly runId: string; readonly conversationId: string }>(
        "POST",
        "/api/chat/completions",
        ask("A secret question", { background: true, ...more }),
      )
    ).body;
  const first = () => eventually(() => told[0]);
  const eventIn = ({ body }: Told): Event => JSON.parse(body) as Event;

  verifies(
    "notices:run",
    "tell of the end of a run in the background, so that the official client takes it",
    async () => {
      await open();
      await stage.host.json("POST", "/api/chat/completions", ask("Who waits is told by the answer"));
      const { runId, conversationId } = await begin();
      const one = await first();
      const client = new OpenAI({ apiKey: "none", webhookSecret: secret });
      const event = (await client.webhooks.unwrap(one.body, one.headers)) as unknown as Event;
      const id = runId.replace("run_", "resp_");
      expect(event).to.deep.include({
        object: "event",
        type: "response.completed",
        data: { id, conversationId, runId },
      });
      expect(event.id).to.equal(one.headers["webhook-id"]);
      expect(one.body).to.not.match(/secret/);
      const forged = { ...(one.headers as Record<string, string>), "webhook-id": "evt_other" };
      expect(await client.webhooks.unwrap(one.body, forged).catch((error: unknown) => error)).to.be.an(
        "error",
      );
      expect(told).to.have.lengthOf(1);
    },
  );

  verifies("notices:run", "tell each webhook of what it asks for alone", async () => {
    const hook = (name: string, events?: readonly string[]) => ({
      url: `http://127.0.0.1:${port}/${name}`,
      secret: kept,
      ...(events && { events }),
    });
    await open({ "notify.webhooks": [hook("failed", ["response.failed"]), hook("all")] });
    await begin();
    await first();
    stage.provider.play(chatReply({ error: { status: 400, message: "no such thing" } }));
    await begin();
    await eventually(() => (told.length === 3 ? true : undefined));
    const seen = told.map((one) => `${one.path} ${eventIn(one).type}`).toSorted();
    expect(seen).to.deep.equal([
      "/all response.completed",
      "/all response.failed",
      "/failed response.failed",
    ]);
  });

  verifies("notices:retry", "are sent again after a failure, and follow no redirect", async () => {
    await open();
    statuses = [302];
    await begin();
    const [before, after] = await eventually(() => (told.length === 2 ? told : undefined));
    expect(told.map(({ path }) => path)).to.deep.equal(["/hook", "/hook"]);
    expect([after?.body, after?.headers["webhook-id"]]).to.deep.equal([
      before?.body,
      before?.headers["webhook-id"],
    ]);
    const library = new Webhook(secret);
    for (const { headers, body } of told) {
      const signed = headers as Readonly<Record<string, string>>;
      expect(library.verify(body, signed)).to.deep.equal(JSON.parse(body));
      const later = String(Number(signed["webhook-timestamp"]) + 1);
      expect(() => library.verify(body, { ...signed, "webhook-timestamp": later })).to.throw(/signature/);
      expect(() => library.verify(body.replace("event", "tneve"), signed)).to.throw(/signature/);
    }
  });

  verifies("notices:approval", "tell of a call that waits, without its arguments", async () => {
    await open({}, { plugins: [...officialPlugins(), labPlugin] });
    stage.provider.play([calling(labCall("wipe", "all", { parts: ["secret"] })), saying("Done.")]);
    const { conversationId, runId } = await begin();
    const approval = await pendingIn(stage.host, conversationId);
    const event = eventIn(await first());
    expect(event).to.deep.include({
      type: "approval.requested",
      data: { id: approval.id, conversationId, runId },
    });
    expect(JSON.stringify(told)).to.not.match(/secret"/);
    const page = read("docs/operations.md");
    const [, example = ""] = /A notice has ids[^]*?```json\n([^]*?)```/.exec(page) ?? [];
    const documented = JSON.parse(example) as Event;
    expect(Object.keys(documented)).to.deep.equal(Object.keys(event));
    expect(Object.keys(documented.data)).to.deep.equal(Object.keys(event.data));
    await answer(stage.host, approval.toolCallId, { approved: false });
    await eventually(() => (told.length === 2 ? true : undefined));
  });

  verifies("notices:command", "start the person's own program, its words as they are", async () => {
    const folder = temporaryFolder();
    const [script, written] = [path.join(folder, "tell.mjs"), path.join(folder, "told $(id).json")];
    writeFileSync(
      script,
      `import { writeFileSync } from "node:fs";
       writeFileSync(process.argv[2], JSON.stringify(process.argv.slice(3)));`,
    );
    await open({ "notify.webhooks": [], "notify.command": [process.execPath, script, written] });
    const { runId, conversationId } = await begin();
    const words = await eventually(() =>
      existsSync(written) ? readFileSync(written, "utf8") || undefined : undefined,
    );
    const id = runId.replace("run_", "resp_");
    expect(JSON.parse(words)).to.deep.equal(["response.completed", id, conversationId, runId]);
  });

  verifies("notices:secret", "never show the secret of a webhook", async () => {
    await open();
    const told = [
      await stage.host.json("GET", "/api/preferences"),
      await stage.host.json("GET", "/api/preferences/schema"),
    ];
    for (const { status, body } of told) {
      expect(status).to.equal(200);
      expect(JSON.stringify(body)).to.include("notify").and.not.include(secret.slice(6));
    }
  });
});

describe("a webhook that is dead", () => {
  let dead: Server;
  let live: Server;
  let told = 0;
  const listening = (server: Server): Promise<string> =>
    new Promise((resolve) =>
      server.listen(0, "127.0.0.1", () => resolve(`127.0.0.1:${(server.address() as AddressInfo).port}`)),
    );
  after(() => {
    for (const server of [dead, live]) {
      server.closeAllConnections();
      server.close();
    }
  });

  verifies("notices:retry", "holds up no run, no other webhook and no stop", async () => {
    const asked = new Promise<void>((resolve) => (dead = createServer(() => resolve())));
    live = createServer((_, response) => {
      told += 1;
      response.end();
    });
    const [silent, open] = [await listening(dead), await listening(live)];
    // Nobody listens on the port of the protocol "discard".
    const addresses = [silent, "127.0.0.1:9", open];
    const stage = await openStage(chatReply({ text: "Done." }), {
      environment: { [kept.env]: secret },
      settings: {
        "notify.webhooks": addresses.map((address) => ({ url: `http://${address}/`, secret: kept })),
        "tools.web.allowed_private_hosts": addresses,
      },
    });
    for (let count = 1; count <= 3; count++) {
      await stage.host.json("POST", "/api/chat/completions", ask("Go", { background: true }));
      await eventually(() => told === count || undefined);
    }
    await asked;
    const { status } = await stage.host.json("POST", "/api/chat/completions", ask("And now?"));
    expect(status).to.equal(200);
    await stage.end();
    // Less than a try waits for an answer.
  }).timeout(12_000);
});
