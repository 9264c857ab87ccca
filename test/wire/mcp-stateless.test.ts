import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect } from "chai";
import type { Stage } from "../support/host.ts";
import { approvals, eventually, openLab } from "../support/lab-stage.ts";
import { mcpPlugins as plugins } from "../support/mcp-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { type Reply, type Answer, revision, allow, wipe } from "./stateless-scene.ts";

type Person = (form: { readonly message: string }) => Reply | Promise<Reply>;

describe("tools for MCP clients of the revision 2026-07-28", () => {
  let stage: Stage;
  const clients: { close(): Promise<void> }[] = [];
  /** The headers of all that the clients have sent. */
  const sent: Headers[] = [];
  before(async () => {
    stage = await openLab([], {
      plugins,
      settings: { mcp: { approval_seconds: 0 }, server: { max_body_bytes: 2 ** 20 } },
    });
  });
  beforeEach(() => {
    lab.reset();
    sent.length = 0;
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
    for (const { id } of await approvals(stage.host, "?status=pending"))
      await stage.host.services.approvals.answer(id, { approved: false });
  });
  after(() => stage.end());

  async function connect(person?: Person, name = "check", host = stage.host): Promise<Client> {
    const client = new Client(
      { name, version: "1" },
      {
        capabilities: person === undefined ? {} : { elicitation: {} },
        versionNegotiation: { mode: "auto" },
      },
    );
    if (person !== undefined)
      client.setRequestHandler("elicitation/create", async ({ params }) => ({ ...(await person(params)) }));
    const watched = (url: string | URL, init?: RequestInit): Promise<Response> => {
      sent.push(new Headers(init?.headers));
      return fetch(url, init);
    };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${host.url}/mcp`), { fetch: watched }));
    clients.push(client);
    return client;
  }
  const call = async (client: Client, name: string, args: object = {}, options = {}): Promise<Answer> =>
    (await client.callTool({ name, arguments: { ...args } }, options)) as Answer;
  const pending = async () => (await approvals(stage.host, "?status=pending"))[0];

  it("lists the same tools as to others, without a session", async () => {
    const client = await connect();
    expect([client.getProtocolEra(), client.getNegotiatedProtocolVersion()]).to.deep.equal([
      "modern",
      revision,
    ]);
    expect(client.getServerVersion()?.name).to.equal("pergola");
    const { tools } = await client.listTools();
    const older = new OlderClient({ name: "older", version: "1" });
    await older.connect(new OlderTransport(new URL(`${stage.host.url}/mcp`)));
    clients.push(older);
    expect(tools).to.deep.equal((await older.listTools()).tools);
    expect(sent.map((headers) => headers.get("mcp-method"))).to.include("tools/list");
    expect(sent.filter((headers) => headers.has("mcp-session-id"))).to.deep.equal([]);
  });

  it("is told by a client that listens when a family is switched", async () => {
    let count = 0;
    const client = await connect();
    client.setNotificationHandler("notifications/tools/list_changed", () => void (count += 1));
    const subscription = await client.listen({ toolsListChanged: true });
    await stage.host.json("PATCH", "/api/tools/think", { enabled: false });
    await eventually(async () => count > 0 || undefined);
    expect((await client.listTools()).tools.map(({ name }) => name)).not.to.include("think");
    await stage.host.json("PATCH", "/api/tools/think", { enabled: true });
    await eventually(async () => count > 1 || undefined);
    await subscription.close();
  });

  it("has the client's conversation, whichever revision the client speaks", async () => {
    const args = { operation: "create_file", filePath: "kept.txt", content: "hello" };
    expect((await call(await connect(undefined, "Both Eras"), "file_operations", args)).isError).to.equal(
      false,
    );
    const older = new OlderClient({ name: "Both Eras", version: "2" });
    await older.connect(new OlderTransport(new URL(`${stage.host.url}/mcp`)));
    clients.push(older);
    const reading = { operation: "read_file", filePath: "kept.txt" };
    const read = (await older.callTool({ name: "file_operations", arguments: reading })) as Answer;
    expect(read.content[0]?.text).to.include("hello");
  });

  it("says what went wrong, and knows no tool that is not listed", async () => {
    const client = await connect();
    const failed = await call(client, "lab", { operation: "peek", name: "x", fail: "not_found" });
    expect([failed.isError, failed.content.map(({ text }) => text)]).to.deep.equal([
      true,
      ["x failed", "Try another name."],
    ]);
    const error = await call(client, "no_such_tool").catch((cause: unknown) => cause);
    expect(error).to.have.property("code", -32602);
  });

  it("shows progress", async () => {
    const seen: (string | undefined)[] = [];
    const onprogress = ({ message }: { message?: string }) => seen.push(message);
    await call(await connect(), "test_tool_with_progress", {}, { onprogress });
    expect(seen).to.deep.equal(["0 of 100", "50 of 100", "100 of 100"]);
  });

  it("asks the client's person between two requests, showing all of the call, and runs it once", async () => {
    const forms: string[] = [];
    const client = await connect(({ message }) => {
      forms.push(message);
      expect(lab.log).to.deep.equal([]);
      return allow;
    });
    const answer = await call(client, "lab", { ...wipe, parts: ["x".repeat(5000)] });
    expect(answer.content[0]?.text).to.equal("did w");
    expect(forms).to.have.length(1);
    expect(forms[0]).to.include("lab.wipe").and.to.include("x".repeat(5000));
    expect(lab.log).to.deep.equal(["start w", "end w"]);
  });

  for (const [title, reply] of [
    ["deny", { action: "accept", content: { answer: "deny" } }],
    ["a decline", { action: "decline" }],
  ] as const) {
    it(`does not run a call after ${title}`, async () => {
      const refused = await call(await connect(() => reply), "lab", wipe);
      expect(refused.content[0]?.text).to.equal("The person said no.");
      expect([lab.log, await pending()]).to.deep.equal([[], undefined]);
    });
  }

  it("leaves a question open that the person has put away", async () => {
    const answer = await call(await connect(() => ({ action: "cancel" })), "lab", wipe);
    expect(answer.content[0]?.text).to.include("approval_required");
    await stage.host.services.approvals.answer((await pending())?.id ?? "", { approved: true });
    await lab.until("end w");
  });

  it("takes an answer that comes another way before the client's", async () => {
    const client = await connect(async () => {
      await stage.host.services.approvals.answer((await pending())?.id ?? "", { approved: true });
      await lab.until("end w");
      return { action: "decline" };
    });
    expect((await call(client, "lab", wipe)).content[0]?.text).to.equal("did w");
  });

  it("hands on one question of a tool after the other", async () => {
    const client = await connect(({ message }) => ({
      action: "accept",
      content: { answer: `to ${message}` },
    }));
    expect((await call(client, "lab", { operation: "question" })).content[0]?.text).to.equal(
      "to First?, to Second?",
    );
  });

  it("says that a call waits to a client that cannot ask; it runs after the yes", async () => {
    const answer = await call(await connect(), "lab", wipe);
    expect(answer.content[0]?.text).to.include("approval_required");
    await stage.host.services.approvals.answer((await pending())?.id ?? "", { approved: true });
    await lab.until("end w");
  });

  it("ends a call that is cancelled", async () => {
    const cancel = new AbortController();
    const args = { operation: "peek", name: "long", gate: true };
    const answer = call(await connect(), "lab", args, { signal: cancel.signal });
    await lab.until("start long");
    cancel.abort();
    await answer.catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 200));
    lab.open("long");
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(lab.log).to.deep.equal(["start long"]);
  });

  it("ends a call that is cancelled after the yes", async () => {
    const cancel = new AbortController();
    const client = await connect(() => allow);
    const answer = call(client, "lab", { ...wipe, gate: true }, { signal: cancel.signal });
    await lab.until("start w");
    cancel.abort();
    await answer.catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 200));
    lab.open("w");
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(lab.log).to.deep.equal(["start w"]);
  });

  it("gives each of many clients its own answers", async () => {
    const many = await Promise.all(Array.from({ length: 30 }, () => connect(() => allow)));
    const texts = await Promise.all(
      many.map(async (client, n) => (await call(client, "lab", { ...wipe, name: `${n}` })).content[0]?.text),
    );
    expect(texts).to.deep.equal(many.map((_, n) => `did ${n}`));
  }).timeout(30_000);

  it("holds up neither the end of the service nor a call that waits", async () => {
    const other = await openLab([], { plugins });
    const client = await connect(() => new Promise(() => undefined), "open", other.host);
    await client.listen({ toolsListChanged: true });
    call(client, "lab", wipe).catch(() => undefined);
    await eventually(async () => (await approvals(other.host, "?status=pending"))[0]);
    const begun = performance.now();
    await other.end();
    expect(performance.now() - begun).to.be.below(3000);
    expect(lab.log).to.deep.equal([]);
  });
});
