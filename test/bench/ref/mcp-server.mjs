// An MCP server without any package: one JSON object a line over stdio, or over HTTP where the first argument
// is `http`; then it prints its port. The second argument says how many tools it has: all of them add.
import { createServer } from "node:http";
import { createInterface } from "node:readline";

const [way, count = "1"] = process.argv.slice(2);
const inputSchema = {
  type: "object",
  properties: { a: { type: "number" }, b: { type: "number" } },
  required: ["a", "b"],
};
const tools = Array.from({ length: Number(count) }, (_, at) => ({
  name: `add_${at}`,
  description: `Adds two numbers, in way ${at}.`,
  inputSchema,
}));

const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "bench", version: "1" },
  }),
  "tools/list": () => ({ tools }),
  "tools/call": ({ arguments: { a, b } }) => ({ content: [{ type: "text", text: String(a + b) }] }),
};

/** Undefined: nothing is answered to what is no request. */
function answer(text) {
  const { id, method, params } = JSON.parse(text);
  if (id === undefined) return undefined;
  return JSON.stringify({ jsonrpc: "2.0", id, result: results[method]?.(params) ?? {} });
}

function answerOverHttp(request, response) {
  if (request.method !== "POST") return response.writeHead(405).end();
  const pieces = [];
  request
    .on("data", (piece) => pieces.push(piece))
    .on("end", () => {
      const body = answer(Buffer.concat(pieces));
      if (body === undefined) return response.writeHead(202).end();
      response.writeHead(200, { "content-type": "application/json" }).end(body);
    });
}

if (way === "http") {
  const server = createServer(answerOverHttp);
  server.keepAliveTimeout = 3_600_000;
  server.listen(0, "127.0.0.1", () => console.log(server.address().port));
} else {
  createInterface({ input: process.stdin }).on("line", (line) => {
    const body = answer(line);
    if (body !== undefined) process.stdout.write(`${body}\n`);
  });
}
