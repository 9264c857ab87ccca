import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const event = (data: { readonly type?: string }): string =>
  `${data.type === undefined ? "" : `event: ${data.type}\n`}data: ${JSON.stringify(data)}\n\n`;

const usage = { input_tokens: 1, output_tokens: 1 };
const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "test",
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage,
};

/** "Hello." in the Messages format. */
const messages = [
  { type: "message_start", message },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello." } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage },
  { type: "message_stop" },
];

/** The same in Gemini's. */
const gemini = [
  {
    candidates: [{ content: { role: "model", parts: [{ text: "Hello." }] }, finishReason: "STOP", index: 0 }],
  },
];

const lists: Readonly<Record<string, object>> = {
  "/anthropic/v1/models": { data: [{ type: "model", id: "test", display_name: "Test" }], has_more: false },
  "/gemini/models": { models: [{ name: "models/test", supportedGenerationMethods: ["generateContent"] }] },
};

/**
 * Servers of other formats at `/anthropic` and `/gemini`, each with one model, `test`, which says "Hello."
 */
export async function openFormats() {
  const server = createServer(({ url = "", method }, response) => {
    const path = url.split("?")[0] ?? "";
    const [type, body] =
      method === "GET"
        ? ["application/json", JSON.stringify(lists[path] ?? {})]
        : ["text/event-stream", (path.startsWith("/anthropic") ? messages : gemini).map(event).join("")];
    response.writeHead(200, { "content-type": type }).end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close().closeAllConnections(),
  };
}
