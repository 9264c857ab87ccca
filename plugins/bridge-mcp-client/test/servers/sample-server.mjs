// An honest MCP server, made with the official package: over stdio, or with `http` as its argument on a free
// loopback port, which it prints.
import { randomUUID } from "node:crypto";
import { appendFileSync, readFileSync, watchFile } from "node:fs";
import { createServer } from "node:http";
import { setTimeout } from "node:timers/promises";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const text = (said) => ({ content: [{ type: "text", text: said }] });
const nothing = { type: "object", properties: {} };
/** What stands in the file of that variable goes before what stands here; read at each listing. */
const readDescriptions = () =>
  process.env.DESCRIPTIONS ? JSON.parse(readFileSync(process.env.DESCRIPTIONS, "utf8")) : {};

const tools = {
  "add-numbers": {
    description: "Add two numbers.",
    inputSchema: {
      type: "object",
      properties: { a: { $ref: "#/$defs/term" }, b: { type: "number" }, operation: { type: "string" } },
      required: ["a", "b"],
      $defs: { term: { type: "number", description: "A term" } },
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
    run: ({ a, b, operation = "sum" }) => text(`${operation} ${a + b}`),
  },
  wipe: {
    description: "Remove everything.",
    inputSchema: nothing,
    annotations: { destructiveHint: true },
    run: () => text("gone"),
  },
  environment: {
    inputSchema: nothing,
    run: (_, { _meta: meta, requestInfo: { headers = {} } = {} }) =>
      text(JSON.stringify({ env: process.env, pid: process.pid, cwd: process.cwd(), meta, headers })),
  },
  fail: { inputSchema: nothing, run: () => ({ ...text("no such ticket"), isError: true }) },
  refuse: {
    inputSchema: nothing,
    run: () => {
      throw new Error("not today");
    },
  },
  picture: {
    inputSchema: nothing,
    run: () => ({
      content: [
        { type: "text", text: "here" },
        { type: "image", data: Buffer.from("pixels").toString("base64"), mimeType: "image/png" },
        { type: "resource", resource: { uri: "note://1", text: "a note" } },
        { type: "resource", resource: { uri: "note://2", blob: Buffer.from("bytes").toString("base64") } },
        { type: "resource_link", uri: "file:///x", name: "x" },
      ],
    }),
  },
  measured: {
    inputSchema: nothing,
    run: () => ({ ...text("It is warm."), structuredContent: { degrees: 21 } }),
  },
  repeated: {
    inputSchema: nothing,
    run: () => ({ ...text('{ "degrees": 21 }'), structuredContent: { degrees: 21 } }),
  },
  facts: { inputSchema: nothing, run: () => ({ content: [], structuredContent: { answer: 42 } }) },
  count: {
    inputSchema: nothing,
    run: async (_, { _meta, sendNotification, sendRequest }, { EmptyResultSchema }) => {
      for (const progress of [1, 2, 3]) {
        const params = { progressToken: _meta?.progressToken, progress, total: 3, message: "counting" };
        await sendNotification({ method: "notifications/progress", params });
      }
      // Progress that comes in one piece with the result is lost in the official client.
      await sendRequest({ method: "ping" }, EmptyResultSchema);
      return text("counted");
    },
  },
  sleep: {
    inputSchema: nothing,
    run: async (_, { signal }) => {
      await setTimeout(60_000, undefined, { signal }).catch(() => process.stderr.write("cancelled\n"));
      return text("slept");
    },
  },
  order: {
    inputSchema: nothing,
    run: async (_, { sendRequest }, { ElicitResultSchema }) => {
      const properties = {
        size: { type: "string", enum: ["small", "large"], title: "Size" },
        gift: { type: "boolean" },
      };
      const params = {
        mode: "form",
        message: "How shall it be?",
        requestedSchema: { type: "object", properties },
      };
      return text(
        JSON.stringify(await sendRequest({ method: "elicitation/create", params }, ElicitResultSchema)),
      );
    },
  },
  exit: { inputSchema: nothing, run: () => process.exit(3) },
};

async function open(transport) {
  const { ElicitResultSchema, EmptyResultSchema } = await import("@modelcontextprotocol/sdk/types.js");
  const server = new Server(
    { name: "sample", version: "1.0.0" },
    { capabilities: { tools: { listChanged: true } } },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => {
    const described = readDescriptions();
    if (process.env.LISTINGS) appendFileSync(process.env.LISTINGS, "listed\n");
    const listed = Object.entries(tools).map(([name, { run: _, ...tool }]) => ({
      name,
      ...tool,
      ...described[name],
    }));
    return { tools: listed };
  });
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) =>
    tools[params.name].run(params.arguments, extra, { ElicitResultSchema, EmptyResultSchema }),
  );
  await server.connect(transport);
  // Says by itself, several times over, when what it lists is another.
  if (process.env.ANNOUNCES)
    watchFile(process.env.DESCRIPTIONS, { interval: 50 }, () => {
      for (let times = 0; times < 5; times += 1) void server.sendToolListChanged();
    });
}

if (process.argv[2] === "http") {
  const sessions = new Map();
  const http = createServer(async (request, response) => {
    if (request.headers.authorization !== "Bearer open sesame") return void response.writeHead(401).end();
    const known = sessions.get(request.headers["mcp-session-id"]);
    if (known === undefined && request.headers["mcp-session-id"] !== undefined)
      return void response.writeHead(404).end();
    const transport =
      known ??
      new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => void sessions.set(id, transport),
      });
    if (known === undefined) await open(transport);
    if (request.url === "/forget") sessions.clear();
    await transport.handleRequest(request, response);
  });
  http.listen(0, "127.0.0.1", () => process.stdout.write(`${http.address().port}\n`));
  process.on("SIGUSR2", () => sessions.clear());
} else {
  process.stdout.write("Welcome, this line is no message.\n");
  await open(new StdioServerTransport());
}
