import { discoverOAuthProtectedResourceMetadata } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect } from "chai";
import { eventually, openLab } from "../support/lab-stage.ts";
import {
  callTool as call,
  mcpPlugins as plugins,
  openMcpStage,
  type McpStage,
} from "../support/mcp-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";

describe("tools for MCP clients", () => {
  let stage: McpStage;
  before(async () => {
    stage = await openMcpStage();
  });
  beforeEach(() => lab.reset());
  afterEach(() => stage.disconnect());
  after(() => stage.end());

  it("lists what is enabled, each with its operations, schema and hints", async () => {
    const { tools } = await (await stage.connect()).listTools();
    const entries = (await stage.host.services.tools.list()).filter(
      ({ enabled, available }) => enabled && available,
    );
    expect(tools.map(({ name }) => name)).to.deep.equal(entries.map(({ name }) => name));
    const files = tools.find(({ name }) => name === "file_operations");
    expect(files?.description).to.match(/\nread_file\(\w+\): /);
    expect(files?.inputSchema.required).to.deep.equal(["operation"]);
    expect(files?.annotations).to.deep.equal({ readOnlyHint: false, destructiveHint: true });
    expect(tools.find(({ name }) => name === "lab_spare")?.annotations).to.deep.equal({
      readOnlyHint: true,
      destructiveHint: false,
    });
  });

  it("tells a client that listens when a family is switched, and lists what is then offered", async () => {
    const client = await stage.connect();
    let told = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (told += 1));
    const isOffered = async () => (await client.listTools()).tools.some(({ name }) => name === "think");
    for (const enabled of [false, true]) {
      const before = told;
      // The stream on which the client listens may still be opening.
      await eventually(async () => {
        await stage.host.json("PATCH", "/api/tools/think", { enabled: !enabled });
        await stage.host.json("PATCH", "/api/tools/think", { enabled });
        return told > before || undefined;
      });
      expect(await isOffered()).to.equal(enabled);
    }
  });

  it("says where tokens are described as soon as any caller needs one", async () => {
    const place = "/.well-known/oauth-protected-resource";
    expect((await stage.host.json("GET", place)).status).to.equal(404);
    const closed = await openLab([], { settings: { "auth.loopback": "token" } });
    try {
      const refused = await fetch(`${closed.host.url}/mcp`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{}",
      });
      expect(refused.status).to.equal(401);
      const challenge = refused.headers.get("www-authenticate") ?? "";
      expect(challenge).to.equal(`Bearer resource_metadata="${closed.host.url}${place}"`);
      expect((await fetch(`${closed.host.url}/api/models`)).headers.get("www-authenticate")).to.equal(
        "Bearer",
      );
      const metadata = await discoverOAuthProtectedResourceMetadata(`${closed.host.url}/mcp`);
      expect(metadata).to.include({ resource: `${closed.host.url}/mcp`, resource_name: "Pergola" });
      expect(metadata.scopes_supported).to.deep.equal(["tools"]);
    } finally {
      await closed.end();
    }
  });

  it("runs a call like any other, in a hidden conversation of the client's own", async () => {
    const client = await stage.connect(undefined, {}, "Some Editor");
    const made = await call(client, "file_operations", {
      operation: "create_file",
      filePath: "note.txt",
      content: "hello",
    });
    expect(made.isError).to.equal(false);
    expect(
      (await call(client, "file_operations", { operation: "read_file", filePath: "note.txt" })).content[0]
        ?.text,
    ).to.include("hello");
    const other = await call(await stage.connect(undefined, {}, "another"), "file_operations", {
      operation: "read_file",
      filePath: "note.txt",
    });
    expect(other.isError).to.equal(true);
    const shown = await stage.host.json<{ conversations: object[] }>("GET", "/v1/conversations");
    expect(JSON.stringify(shown.body)).not.to.include("Some Editor");
  });

  it("tells what went wrong and what to do next", async () => {
    const failed = await call(await stage.connect(), "lab", {
      operation: "peek",
      name: "x",
      fail: "not_found",
    });
    expect(failed).to.deep.include({ isError: true });
    expect(failed.content.map(({ text }) => text)).to.deep.equal(["x failed", "Try another name."]);
  });

  it("knows no tool that is not listed", async () => {
    const client = await stage.connect();
    for (const name of ["no_such_tool", "lab_peek", "lab.peek"]) {
      const error = await call(client, name).catch((cause: unknown) => cause);
      expect(error).to.have.property("code", -32602);
    }
  });

  it("shows progress", async () => {
    const seen: (string | undefined)[] = [];
    await call(
      await stage.connect(),
      "test_tool_with_progress",
      {},
      { onprogress: ({ message }: { message?: string }) => seen.push(message) },
    );
    expect(seen).to.deep.equal(["0 of 100", "50 of 100", "100 of 100"]);
  });

  it("ends a call that is cancelled", async () => {
    const cancel = new AbortController();
    const answer = call(
      await stage.connect(),
      "lab",
      { operation: "peek", name: "long", gate: true },
      { signal: cancel.signal },
    );
    await lab.until("start long");
    cancel.abort();
    await answer.catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 200));
    lab.open("long");
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(lab.log).to.deep.equal(["start long"]);
  });

  it("CVE-2026-25536: gives each of many clients its own answers", async () => {
    const many = await Promise.all(Array.from({ length: 50 }, () => stage.connect()));
    const said = await Promise.all(
      many.flatMap((client, n) =>
        [0, 1].map(
          async (k) => (await call(client, "lab", { operation: "note", name: `${n}/${k}` })).content[0]?.text,
        ),
      ),
    );
    expect(said).to.deep.equal(many.flatMap((_, n) => [`did ${n}/0`, `did ${n}/1`]));
  }).timeout(30_000);

  describe("sessions", () => {
    const greeting = {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
    };
    const post = (body: unknown, headers: Record<string, string> = {}) =>
      stage.host.request("POST", "/mcp", body, { accept: "application/json, text/event-stream", ...headers });
    const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
    const from = (address: string) => ({ "x-forwarded-for": address });

    it("are bound to their caller: the id of another's leads nowhere", async () => {
      const greeted = await post(greeting, from("alice"));
      await greeted.text();
      const session = { "mcp-session-id": greeted.headers.get("mcp-session-id") ?? "" };
      const statuses = await Promise.all(
        [from("alice"), from("mallory"), {}].map(
          async (who) => (await post(list, { ...session, ...who })).status,
        ),
      );
      expect(statuses).to.deep.equal([200, 404, 404]);
    });

    it("that are unknown are 404, and missing ones 400", async () => {
      expect((await post(list, { "mcp-session-id": "made-up" })).status).to.equal(404);
      expect((await post(list)).status).to.equal(400);
    });

    it("are closed to foreign pages and hosts", async () => {
      expect((await post(greeting, { origin: "https://evil.example" })).status).to.equal(403);
      expect((await post(greeting, { "sec-fetch-site": "cross-site" })).status).to.equal(403);
    });

    it("end when the client says so", async () => {
      const greeted = await post(greeting);
      await greeted.text();
      const session = { "mcp-session-id": greeted.headers.get("mcp-session-id") ?? "" };
      expect((await stage.host.request("DELETE", "/mcp", undefined, session)).status).to.equal(200);
      expect((await post(list, session)).status).to.equal(404);
    });
  });

  it("holds up neither the end of the service nor the process", async () => {
    const other = await openLab([], { plugins });
    const client = new Client({ name: "open", version: "1" });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${other.host.url}/mcp`)));
    const begun = performance.now();
    await other.end();
    expect(performance.now() - begun).to.be.below(3000);
    await client.close();
  });

  it("are not offered when the group is switched off", async () => {
    const other = await openLab([], { plugins, settings: { endpoints: { mcp: { enabled: false } } } });
    const { status } = await other.host.request("POST", "/mcp", {});
    await other.end();
    expect(status).to.equal(404);
  });
});
