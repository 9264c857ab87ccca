import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { chatReply } from "@pergola/sdk/testing";
import { chat, user } from "../support/chat.ts";
import { readEvents, type EventReader, type HeardEvent } from "../support/event-reader.ts";
import { openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

const of =
  (kind: string, id: string, op = "put") =>
  ({ data }: HeardEvent): boolean =>
    data["kind"] === kind && data["id"] === id && data["op"] === op;

const numberOf = ({ id }: HeardEvent): number => Number(id.split("-").at(-1));
const startOf = ({ id }: HeardEvent): string => id.slice(0, id.lastIndexOf("-"));

describe("the events of the service", () => {
  let stage: Stage;
  const readers: EventReader[] = [];
  before(async () => {
    stage = await openStage(chatReply({ text: "Hello." }));
  });
  afterEach(() => readers.splice(0).forEach((reader) => reader.leave()));
  after(() => stage.end());

  const open = async (query = "", headers: Readonly<Record<string, string>> = {}): Promise<EventReader> => {
    const reader = await readEvents(stage.host, query, headers);
    readers.push(reader);
    await reader.find(({ event }) => event === "hello");
    return reader;
  };
  const json = <T = Record<string, unknown>>(method: string, route: string, body?: unknown) =>
    stage.host.json<T>(method, route, body);
  const folder = async (name: string): Promise<string> =>
    (await json<{ readonly id: string }>("POST", "/api/folders", { name })).body.id;

  verifies("events:hello", "begin with hello, which tells the start, the version and who hears", async () => {
    const [one, two] = [await open(), await open()];
    const [hello] = one.events;
    const health = await json("GET", "/health");
    expect(hello?.data).to.deep.equal({
      startId: startOf(hello!),
      version: health.body["version"],
      caller: { remote: false, mayAdminister: true },
    });
    expect(startOf(two.events[0]!)).to.equal(startOf(hello!));
  });

  verifies("events:change", "tell of records as their lists have them, by their kind", async () => {
    const reader = await open();
    const { body } = await chat(stage, { messages: [user("Hi")] });
    const { conversation_id: conversationId, run_id: runId } = body.service_metadata;
    const { data } = await reader.find(of("conversation", conversationId));
    expect(data["conversationId"]).to.equal(conversationId);
    const isEnded = (event: HeardEvent): boolean =>
      of("run", runId)(event) && (event.data["record"] as { status: string }).status === "ended";
    const run = await reader.find(isEnded);
    expect(run.data["record"]).to.deep.equal((await json("GET", `/api/runs/${runId}`)).body);
    expect(run.data["conversationId"]).to.equal(conversationId);
    const folderId = await folder("Work");
    const made = await reader.find(of("folder", folderId));
    const listed = (await json<{ folders: readonly object[] }>("GET", "/api/folders")).body.folders;
    expect([made.data["record"]]).to.deep.equal(listed);
    const topic = await json<{ id: string }>("POST", "/api/topics", { name: "House" });
    expect((await reader.find(of("topic", topic.body.id))).data["record"]).to.deep.equal(topic.body);
    await json("DELETE", `/v1/conversations/${conversationId}`);
    const gone = await reader.find(of("conversation", conversationId, "delete"));
    expect(gone.data).to.deep.include({ conversationId, record: null });
    expect(JSON.stringify(reader.events)).to.not.include("Hello.");
  });

  verifies("events:change", "tell of approvals, permissions, file changes and memories", async () => {
    const file = path.join(stage.host.dataDirectory, "..", `${path.basename(stage.host.dataDirectory)}.txt`);
    const reader = await open();
    const call = json<Record<string, string>>("POST", "/debug/mcp/execute", {
      tool: "file_operations",
      arguments: { operation: "create_file", path: file, content: "x" },
      waitSeconds: 20,
    });
    const asked = await reader.find(({ data }) => data["kind"] === "approval");
    const id = String(asked.data["id"]);
    const { body } = await json<{ readonly approvals: readonly object[] }>("GET", "/api/approvals");
    expect(asked.data["record"]).to.deep.equal(body.approvals.find((each) => "id" in each && each.id === id));
    await json("POST", `/api/approvals/${id}`, { approved: true, grant: "time", expiresIn: "5m" });
    await call;
    const grant = await reader.find(({ data }) => data["kind"] === "grant");
    expect(grant.data["record"]).to.include({ approvalId: id });
    const change = await reader.find(
      ({ data }) =>
        data["kind"] === "file_change" && (data["record"] as { readonly state: string }).state === "done",
    );
    expect(change.data["record"]).to.include({ path: file, kind: "created" });
    await json("POST", "/debug/mcp/execute", {
      tool: "memory_operations",
      arguments: { operation: "store_memory", content: "The printer is a Brother." },
    });
    const memory = await reader.find(({ data }) => data["kind"] === "memory");
    expect(memory.data["record"]).to.include({ content: "The printer is a Brother." });
    // The conversation of calls by hand is hidden.
    expect(reader.events.filter(({ data }) => data["kind"] === "conversation")).to.deep.equal([]);
  });

  verifies(
    "events:change",
    "tell of a hidden conversation once it shows itself, and then of its end",
    async () => {
      const reader = await open();
      const { body } = await json<{ id: string }>("POST", "/v1/conversations", { hidden: true });
      await folder("Between");
      await reader.find(({ data }) => data["kind"] === "folder");
      expect(reader.events.filter(of("conversation", body.id))).to.deep.equal([]);
      await chat(stage, { messages: [user("Hi")], conversationId: body.id });
      expect((await reader.find(of("conversation", body.id))).data["record"]).to.include({ hidden: false });
      await json("DELETE", `/v1/conversations/${body.id}`);
      await reader.find(of("conversation", body.id, "delete"));
    },
  );

  verifies("events:change", "tell of preferences by their keys alone", async () => {
    const reader = await open();
    await json("PATCH", "/api/preferences", { "memory.inject_count": 7 });
    const { data } = await reader.find(of("preference", "memory.inject_count"));
    expect(data["record"]).to.equal(null);
    await json("PATCH", "/api/preferences", { "memory.inject_count": null });
    await reader.find(of("preference", "memory.inject_count", "delete"));
  });

  verifies("events:burst", "tell changes of one record within a quarter of a second as one", async () => {
    const reader = await open("?kinds=folder");
    /** How many events four changes of a new folder made, and the milliseconds that the changes took. */
    const burst = async () => {
      const id = await folder("Burst");
      await reader.find(of("folder", id));
      const [before, begun] = [reader.events.length, performance.now()];
      await Promise.all(["a", "b", "c", "d"].map((color) => json("PATCH", `/api/folders/${id}`, { color })));
      const taken = performance.now() - begun;
      await reader.find((event) => reader.events.indexOf(event) >= before && of("folder", id)(event));
      await reader.find(of("folder", await folder("After")));
      return { taken, told: reader.events.slice(before).filter(of("folder", id)) };
    };
    let last = await burst();
    // A machine that is busy takes longer now and then.
    while (last.taken >= 250) last = await burst();
    expect(last.told).to.have.length(1);
  });

  verifies("events:resume", "go on behind the last event, without a gap", async () => {
    const first = await open();
    const ids = [await folder("One"), await folder("Two")];
    const one = await first.find(of("folder", ids[0]!));
    await first.find(of("folder", ids[1]!));
    const told = first.events.filter(({ event }) => event === "change");
    expect(told.map(numberOf)).to.deep.equal(told.map((_, index) => numberOf(told[0]!) + index));
    for (const reader of [await open(`?after=${one.id}`), await open("", { "Last-Event-ID": one.id })]) {
      await reader.find(of("folder", ids[1]!));
      const rest = first.events.slice(first.events.indexOf(one) + 1);
      expect(reader.events.slice(1, 1 + rest.length)).to.deep.equal(rest);
      expect(reader.events[0]).to.include({ event: "hello", id: one.id });
    }
  });

  verifies("events:resume", "say resync to who comes from another start", async () => {
    const reader = await open("?after=0123456789abcdef-3");
    expect((await reader.find(({ event }) => event === "resync")).data).to.deep.equal({});
  });

  verifies("events:kinds", "are of the kinds that are asked for; another is 400", async () => {
    const reader = await open("?kinds=topic,folder");
    await json("PATCH", "/api/preferences", { "memory.inject_count": 6 });
    await reader.find(of("folder", await folder("Kinds")));
    const heard = new Set(reader.events.slice(1).map(({ data }) => data["kind"]));
    expect([...heard]).to.deep.equal(["folder"]);
    const refused = await json<{ error: object }>("GET", "/api/events?kinds=folder,folders");
    expect([refused.status, refused.body.error]).to.deep.include(400);
    expect(refused.body.error).to.include({ code: "invalid_value", param: "kinds" });
  });

  verifies("events:scope", "are only those that the caller could list, and end with its token", async () => {
    mkdirSync(path.join(stage.host.dataDirectory, "wd"), { recursive: true });
    writeFileSync(path.join(stage.host.dataDirectory, "wd", "a.txt"), "a");
    const made = await json<{ readonly token: { readonly id: string }; readonly secret: string }>(
      "POST",
      "/api/tokens",
      { name: "reader", scopes: ["read"] },
    );
    const reader = await open("", { authorization: `Bearer ${made.body.secret}` });
    const owner = await open();
    const call = json("POST", "/debug/mcp/execute", {
      tool: "file_operations",
      arguments: { operation: "create_file", path: "/elsewhere/x.txt", content: "x" },
      waitSeconds: 1,
    });
    await owner.find(({ data }) => data["kind"] === "approval");
    await call;
    await reader.find(of("folder", await folder("Scope")));
    expect(reader.events.filter(({ data }) => data["kind"] === "approval")).to.deep.equal([]);
    await json("DELETE", `/api/tokens/${made.body.token.id}`);
    await reader.ended;
  });

  verifies("events:stop", "end at once when the service stops; the next start has another id", async () => {
    const reader = await open();
    const before = performance.now();
    await stage.host.restart();
    await reader.ended;
    expect(performance.now() - before).to.be.lessThan(4500);
    expect(startOf((await open()).events[0]!)).to.not.equal(startOf(reader.events[0]!));
  });
});
