// A model that answers without end, as fast as it is read. A program of its own, which ends with its parent.
import type { AddressInfo } from "node:net";
import { createServer, type ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { jsonReply, sendReply } from "@pergola/sdk/testing";
import type { EndlessPlan } from "./endless-model.ts";

const deltaOf = (field: string, text: string): object =>
  field === "arguments"
    ? {
        tool_calls: [
          { index: 0, id: "call_1", type: "function", function: { name: "write", arguments: text } },
        ],
      }
    : { [field]: text };

const frameOf = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", created: 1, model: "test", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

function planOf(body: string): EndlessPlan {
  const { messages } = JSON.parse(body) as { messages: { role: string; content: unknown }[] };
  const asked = JSON.stringify(messages.findLast(({ role }) => role === "user")?.content);
  const [plan = "{}"] = /\{\\"plan.*?\}/.exec(asked) ?? [];
  return JSON.parse(plan.replaceAll('\\"', '"')) as EndlessPlan;
}

/** Characters of answers that were handed to the network so far. */
let sent = 0;

/** False once nobody reads any more. */
const write = async (response: ServerResponse, text: string): Promise<boolean> => {
  if (!response.destroyed && !response.write(text))
    await new Promise<void>((resolve) => {
      const settle = (): void => {
        response.off("drain", settle).off("close", settle);
        resolve();
      };
      response.on("drain", settle).on("close", settle);
    });
  return !response.destroyed;
};
const answer = async (response: ServerResponse, plan: EndlessPlan): Promise<void> => {
  const {
    field = "content",
    delta = 60_000,
    bytes = Infinity,
    unit = "endless text ",
    line,
    pause = 0,
  } = plan;
  const text = unit.repeat(Math.ceil(delta / unit.length)).slice(0, delta);
  const piece = line === true ? text : frameOf(deltaOf(field, text));
  response.writeHead(200, { "content-type": "text/event-stream" });
  if (line === true) await write(response, "data: ");
  for (let done = 0; done < bytes; done += delta) {
    if (!(await write(response, piece))) return;
    sent += delta;
    if (pause > 0) await setTimeout(pause);
  }
  response.end(`${frameOf({}, "stop")}data: [DONE]\n\n`);
};
const server = createServer((request, response) => {
  if (request.url === "/sent") return void sendReply(jsonReply({ sent }), response);
  if (request.method === "GET")
    return void sendReply(jsonReply({ object: "list", data: [{ id: "test", object: "model" }] }), response);
  let body = "";
  request.setEncoding("utf8").on("data", (text: string) => (body += text));
  request.on("end", () => {
    void answer(response, planOf(body));
  });
});

server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit());
