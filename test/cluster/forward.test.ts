import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { expect } from "chai";
import OpenAI from "openai";
import type { Entity } from "@pergola/sdk";
import { chatReply } from "@pergola/sdk/testing";
import { openHost } from "../../plugins/storage-postgres/test/support/open.ts";
import { needsPostgres, sharedServer } from "../../plugins/storage-postgres/test/support/postgres-server.ts";
import { addToken, fromElsewhere, type ErrorBody } from "../boundary/door-scene.ts";
import { openChanges, writing, type ChangesScene } from "../support/changes-scene.ts";
import { ask } from "../support/host.ts";
import { eventually, messagesOf, play, runOf, runWith, saying } from "../support/lab-stage.ts";
import { runEventsOf } from "../support/run-events.ts";

const mostBytes = 2_000_000;

/** Hosts that see files of their own: what is begun at `one` is asked for at `two`. */
describe("requests at another host than the one that has the files", function () {
  this.timeout(60_000);
  let one: ChangesScene;
  let two: ChangesScene;
  let settings: NonNullable<Parameters<typeof openChanges>[0]>["settings"];

  before(needsPostgres);
  before(async () => {
    settings = {
      storage: (await sharedServer()).settings({ host_timeout_seconds: 3 }),
      "cluster.forward": true,
      "files.max_upload_bytes": mostBytes,
      "server.max_body_bytes": 4_000_000,
      "server.trusted_proxies": ["127.0.0.1"],
      "rate_limit.failed_auth_per_minute": 1000,
    };
    one = await openAt("one");
    two = await openAt("two");
    await play(one, [saying("Hello.")], { conversationId: "placed" });
  });
  after(async () => {
    await one?.end();
    await two?.end();
  });

  const openAt = (label: string, more: object = {}): Promise<ChangesScene> =>
    openChanges({ settings: { ...settings, "cluster.label": label, ...more } });

  const files = (name: string, init?: RequestInit): Promise<Response> =>
    fetch(`${two.host.url}/v1/conversations/placed/files/${name}`, init);
  const codeOf = async (answer: Response): Promise<unknown> => [
    answer.status,
    ((await answer.json()) as ErrorBody).error.code,
  ];

  it("are answered by it: a chat goes on there, with its model", async () => {
    one.provider.play([saying("From one.")]);
    const before = two.provider.requests.length;
    const { status, body, headers } = await two.host.json<{ choices: [{ message: { content: string } }] }>(
      "POST",
      "/api/chat/completions",
      ask("And now?", { conversationId: "placed" }),
    );
    expect([status, body.choices[0].message.content]).to.deep.equal([200, "From one."]);
    expect(headers.get("x-run-id")).to.equal((await runOf(one.host, "placed")).id);
    expect(headers.get("content-type")).to.equal("application/json; charset=utf-8");
    expect(two.provider.requests.length).to.equal(before);
    expect((await messagesOf(two.host, "placed")).at(-1)?.content).to.equal("From one.");
  });

  it("stream word by word, as a client of others reads them", async () => {
    let goOn = (): void => undefined;
    const until = new Promise<void>((resolve) => (goOn = resolve));
    one.provider.play([chatReply([{ text: "First " }, { until }, { text: "and last." }])]);
    const client = new OpenAI({ baseURL: `${two.host.url}/v1`, apiKey: "anything", maxRetries: 0 });
    const stream = await client.chat.completions.create(
      { model: "custom/test", messages: [{ role: "user", content: "Again" }], stream: true },
      { headers: { "X-Session-Id": "placed" } },
    );
    let text = "";
    for await (const { choices } of stream) {
      text += choices[0]?.delta.content ?? "";
      if (text === "First ") goOn();
    }
    expect(text).to.equal("First and last.");
  });

  it("are cancelled when the client leaves", async () => {
    one.provider.play(chatReply([{ text: "Well" }, { hang: true }]));
    const leaving = new AbortController();
    const answer = await fetch(`${two.host.url}/api/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(ask("Left", { conversationId: "placed", stream: true })),
      signal: leaving.signal,
    });
    await answer.body!.getReader().read();
    const { id } = await runWith(one.host, "placed", "running");
    leaving.abort();
    const ended = await eventually(async () => {
      const { body } = await two.host.json<{ status: string; completion_reason: string }>(
        "GET",
        `/api/runs/${id}`,
      );
      return body.status === "ended" ? body : undefined;
    });
    expect(ended.completion_reason).to.equal("cancelled");
  });

  it("that were cut go on from the last event that came", async () => {
    one.provider.play([saying("All of it.")]);
    const answer = await two.host.request(
      "POST",
      "/api/chat/completions",
      ask("Followed", { conversationId: "placed", stream: true }),
    );
    const runId = answer.headers.get("x-run-id")!;
    await answer.text();
    const all = runEventsOf(await (await two.host.request("GET", `/api/runs/${runId}/events`)).text());
    const rest = await two.host.request("GET", `/api/runs/${runId}/events`, undefined, {
      "last-event-id": String(all.length - 2),
    });
    expect(runEventsOf(await rest.text())).to.deep.equal(all.slice(-2));
  });

  it("upload and download files of megabytes, and say what is too large", async () => {
    const bytes = randomBytes(mostBytes);
    const made = await files("large.bin", { method: "PUT", body: bytes });
    expect(made.status).to.equal(201);
    const got = await files("large.bin");
    expect(Buffer.from(await got.arrayBuffer()).equals(bytes)).to.equal(true);
    expect(got.headers.get("content-disposition")).to.include("large.bin");
    const head = await files("large.bin", { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), await head.text()]).to.deep.equal([
      200,
      String(mostBytes),
      "",
    ]);
    const pieces = new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(5));
        controller.close();
      },
    });
    expect(
      (await files("piece.bin", { method: "PUT", body: pieces, duplex: "half" } as never)).status,
    ).to.equal(201);
    const tooLarge = await files("larger.bin", { method: "PUT", body: new Uint8Array(mostBytes + 1) });
    expect(await codeOf(tooLarge)).to.deep.equal([413, "request_too_large"]);
    const { status } = await two.host.request(
      "POST",
      "/api/chat/completions",
      ask("x".repeat(4_000_001), { conversationId: "placed" }),
    );
    expect(status).to.equal(413);
  });

  it("belong to where the first file was written, before any chat", async () => {
    const made = await one.host.json<{ id: string }>("POST", "/v1/conversations", { title: "Files" });
    const { id } = made.body;
    const route = `/v1/conversations/${id}/files`;
    const body = new Uint8Array([0, 1, 255]);
    const written = await fetch(`${one.host.url}${route}/first.bin`, { method: "PUT", body });
    expect(written.status).to.equal(201);
    const read = await fetch(`${two.host.url}${route}/first.bin`);
    expect(new Uint8Array(await read.arrayBuffer())).to.deep.equal(body);
    one.provider.play([saying("Read.")]);
    const chat = ask("Read it", { conversationId: id });
    expect((await two.host.json("POST", "/api/chat/completions", chat)).status).to.equal(200);
  });

  it("belong to one of them where both are asked for a first file at once", async () => {
    const put = ({ host }: ChangesScene, id: string, name: string): Promise<Response> =>
      fetch(`${host.url}/v1/conversations/${id}/files/${name}`, { method: "PUT", body: name });
    for (let at = 0; at < 8; at += 1) {
      const id = `both${at}`;
      await one.host.json("POST", "/v1/conversations", { id });
      const answers = await Promise.all([put(one, id, "a.bin"), put(two, id, "b.bin")]);
      expect(answers.map(({ ok }) => ok)).to.deep.equal([true, true]);
      for (const { host } of [one, two])
        for (const name of ["a.bin", "b.bin"]) {
          const read = await fetch(`${host.url}/v1/conversations/${id}/files/${name}`);
          expect([read.status, await read.text()], `${id} ${name}`).to.deep.equal([200, name]);
        }
    }
  });

  it("undo what was done there, and call its tools by hand", async () => {
    one.put("file.txt", "before");
    const run = await one.run([writing("file.txt", "after")], { conversationId: "undone" });
    expect(one.read("file.txt")).to.equal("after");
    const { body: called } = await two.host.json<{ result: string }>("POST", "/debug/mcp/execute", {
      conversationId: "undone",
      ...{ tool: "file_operations", arguments: { operation: "read_file", filePath: "file.txt" } },
    });
    expect(called.result).to.include("after");
    const { success, reverted } = await two.revert(run);
    expect([success, reverted.length, one.read("file.txt")]).to.deep.equal([true, 1, "before"]);
  });

  it("may do there what their token allows, and no more", async () => {
    const body = ask("As a token", { conversationId: "placed" });
    const chats = await addToken(two.host, "chats", { scopes: ["read", "chat"] });
    const reads = await addToken(two.host, "reads", { scopes: ["read"] });
    one.provider.play([saying("For a token.")]);
    const post = (token: string, more: object = {}) =>
      fromElsewhere(two.host, "/api/chat/completions", { method: "POST", token, body: { ...body, ...more } });
    expect((await post(chats.secret)).status).to.equal(200);
    expect((await post(reads.secret)).body.error.code).to.equal("insufficient_scope");
    const switched = await post(chats.secret, { service_config: { enable_terminal_access: true } });
    expect(switched.body.error.code).to.equal("insufficient_scope");
    const upload = await fromElsewhere(two.host, "/v1/conversations/placed/files/no.txt", {
      ...{ method: "PUT", token: chats.secret, body: {} },
    });
    expect(upload.body.error.details).to.deep.equal({ scope: "tools" });
    const { body: audit } = await one.host.json<{ entries: { outcome: string }[] }>("GET", "/api/audit");
    expect(JSON.stringify(audit)).to.not.include("x-pergola-ticket");
  });

  it("end with the token that they came with", async () => {
    const { secret, token } = await addToken(two.host, "ends", { scopes: ["read", "chat"] });
    one.provider.play(chatReply([{ text: "Well" }, { hang: true }]));
    const answer = await fetch(`${two.host.url}/api/chat/completions`, {
      method: "POST",
      headers: {
        ...{ "content-type": "application/json", authorization: `Bearer ${secret}` },
        "x-forwarded-for": "203.0.113.9",
      },
      body: JSON.stringify(ask("Ends", { conversationId: "placed", stream: true })),
    });
    const cut = answer.text().then(
      () => false,
      () => true,
    );
    await two.host.json("DELETE", `/api/tokens/${token.id}`);
    expect(await cut).to.equal(true);
    const { id } = await runWith(one.host, "placed", "running");
    await one.host.json("POST", `/api/runs/${id}/cancel`);
    await runWith(one.host, "placed", "ended");
  });

  it("are taken from hosts alone, each once, and are not handed on again", async () => {
    const other = await openHost(settings!["storage"] as object, "another");
    const tickets = other.collection<Entity & Record<string, unknown>>("cluster/tickets", {
      indexes: ["madeAt"],
    });
    const url = "/v1/conversations/placed/files";
    const [id, elsewhere, forOther] = [1, 2, 3].map(() => randomBytes(32).toString("base64url"));
    const caller = { kind: "owner", id: "127.0.0.1", name: "owner", remote: false, root: null };
    const peer = { address: "127.0.0.1", place: "127.0.0.1", local: true, secure: false, sameUser: true };
    const ticket = {
      caller: { ...caller, scopes: ["read", "chat", "tools", "approve", "admin"] },
      ...{ peer, method: "GET", url, madeAt: Date.now(), target: `${hostname()} ${two.host.url}` },
    };
    await tickets.put({ ...ticket, id: id! });
    await tickets.put({ ...ticket, id: elsewhere!, url: "/v1/conversations" });
    await tickets.put({ ...ticket, id: forOther!, target: `${hostname()} ${one.host.url}` });
    const get = async (text: string) =>
      codeOf(await two.host.request("GET", url, undefined, { "x-pergola-ticket": text }));
    // What `one` has is not at `two`: a request that was handed on to it wrongly ends there.
    expect(await get(id!)).to.deep.equal([409, "wrong_host"]);
    for (const wrong of [id!, elsewhere!, forOther!, "guessed", ""])
      expect(await get(wrong), wrong).to.deep.equal([401, "invalid_api_key"]);
  });

  it("are refused in words while that host is not there, or cannot be reached", async () => {
    const three = await openAt("three");
    const four = await openAt("four", { "cluster.address": "http://127.0.0.1:1" });
    for (const stage of [three, four])
      await play(stage, [saying("Hello.")], { conversationId: `of ${stage === three ? "three" : "four"}` });
    const refusal = async (id: string) => {
      const route = `/v1/conversations/${encodeURIComponent(id)}/files`;
      const answer = await two.host.request("GET", route);
      return { status: answer.status, headers: answer.headers, ...((await answer.json()) as ErrorBody) };
    };
    const unreachable = await refusal("of four");
    expect([unreachable.status, unreachable.error.code]).to.deep.equal([503, "host_unavailable"]);
    expect(unreachable.error.message).to.include("Nothing was done");
    expect(Number(unreachable.headers.get("retry-after"))).to.be.above(0);
    await three.end();
    const gone = await refusal("of three");
    expect([gone.status, gone.error.code, gone.error.details]).to.deep.equal([
      409,
      "wrong_host",
      { host: "three" },
    ]);
    expect(gone.error.message).to.include("is not there");
    await four.end();
  });
});
