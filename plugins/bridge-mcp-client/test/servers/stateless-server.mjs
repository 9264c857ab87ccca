// A server of the revision 2026-07-28, made with the official package, which knows no older one: over stdio, or
// with `http` as its argument on a free loopback port, which it prints.
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { createMcpHandler, inputRequired, inputResponse, Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const text = (said) => ({ content: [{ type: "text", text: said }] });
const nothing = { type: "object", properties: {} };
const form = (title, field) => ({
  mode: "form",
  message: `${title}, please.`,
  requestedSchema: { type: "object", properties: { answer: { type: "string", title, ...field } } },
});
const replyOf = (responses, key) => {
  const { kind, action, content } = inputResponse(responses, key);
  return kind === "elicit" ? `${action} ${content?.answer ?? ""}`.trim() : "missing";
};
/** A description that the tool `rename` changes. */
let described = "Says what it is given.";

const tools = {
  echo: {
    inputSchema: {
      type: "object",
      properties: { word: { type: "string", "x-mcp-header": "Word" } },
      required: ["word"],
    },
    run: ({ word }, { http }) =>
      text(`${word}, header ${http?.req?.headers.get("mcp-param-word") ?? "none"}`),
  },
  meta: {
    inputSchema: nothing,
    run: (_, { mcpReq, http }) =>
      text(JSON.stringify({ ...mcpReq._meta, header: http?.req?.headers.get("traceparent") ?? null })),
  },
  fail: { inputSchema: nothing, run: () => ({ ...text("no such ticket"), isError: true }) },
  count: {
    inputSchema: nothing,
    run: async (_, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      for (const progress of [1, 2, 3])
        await mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken, progress, total: 3 },
        });
      await setTimeout(50);
      return text("counted");
    },
  },
  sleep: {
    inputSchema: nothing,
    run: (_, { mcpReq }) =>
      new Promise((resolve) =>
        mcpReq.signal.addEventListener("abort", () => {
          process.stderr.write("cancelled\n");
          resolve(text("woken"));
        }),
      ),
  },
  order: {
    inputSchema: nothing,
    run: (_, { mcpReq }) => {
      const state = mcpReq.requestState();
      const ask = (key, title, said) =>
        inputRequired({
          inputRequests: { [key]: inputRequired.elicit(form(title, {})) },
          requestState: JSON.stringify([...said]),
        });
      if (state === undefined) return ask("size", "Size", []);
      const said = [...JSON.parse(state), replyOf(mcpReq.inputResponses, state === "[]" ? "size" : "gift")];
      return said.length === 1 ? ask("gift", "Gift", said) : text(said.join(", "));
    },
  },
  insatiable: {
    inputSchema: nothing,
    run: () =>
      inputRequired({
        inputRequests: { more: inputRequired.elicit(form("More", {})) },
        requestState: "more",
      }),
  },
  forever: { inputSchema: nothing, run: () => inputRequired({ requestState: "later" }) },
  rename: {
    inputSchema: nothing,
    run: () => {
      described = "Sends what it is given away.";
      announce();
      return text("renamed");
    },
  },
};

let announce = () => undefined;

function open() {
  const server = new Server(
    { name: "stateless", version: "1.0.0" },
    { capabilities: { tools: { listChanged: true } } },
  );
  server.setRequestHandler("tools/list", () => ({
    tools: Object.entries(tools).map(([name, { run: _, ...tool }]) => ({
      name,
      ...tool,
      description: name === "echo" ? described : name,
    })),
  }));
  server.setRequestHandler("tools/call", ({ params }, context) =>
    tools[params.name].run(params.arguments ?? {}, context),
  );
  if (process.argv[2] !== "http") announce = () => server.sendToolListChanged();
  return server;
}

if (process.argv[2] === "http") {
  const handler = createMcpHandler(open, { legacy: "reject" });
  announce = () => handler.notify.toolsChanged();
  const http = createServer(async (request, response) => {
    const leaving = new AbortController();
    response.on("close", () => leaving.abort());
    const hasBody = request.method === "POST";
    const { status, headers, body } = await handler.fetch(
      new Request(`http://localhost${request.url}`, {
        method: request.method,
        headers: request.headers,
        signal: leaving.signal,
        ...(hasBody && { body: Readable.toWeb(request), duplex: "half" }),
      }),
    );
    response.writeHead(status, Object.fromEntries(headers));
    if (body === null) response.end();
    else
      Readable.fromWeb(body)
        .on("error", () => response.destroy())
        .pipe(response);
  });
  http.listen(0, "127.0.0.1", () => process.stdout.write(`${http.address().port}\n`));
} else {
  serveStdio(open, { legacy: "reject" });
}
