// A scripted model over plain node:http. The model's name is the script: `echo` answers at once, `s-N-P`
// streams N chunks, one every P ms, `tools-K` asks for K file reads and then answers. Prints its port;
// answers GET /stats with what it measured.
import { createServer } from "node:http";
import { readdirSync } from "node:fs";

const folder = process.argv[2];
const files = folder ? readdirSync(folder) : [];
const gaps = [];
const aborts = [];
let lastEnd = 0;
const now = () => Number(process.hrtime.bigint()) / 1e6;

const chunk = (delta, finish = null) =>
  `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const usage = `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", created: 1, model: "m", choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } })}\n\ndata: [DONE]\n\n`;
const whole = JSON.stringify({
  id: "x",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: "Hello there, this is the answer." },
      finish_reason: "stop",
    },
  ],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
});

function answer(body, response) {
  const model = body.model.split("/").at(-1);
  const head = { "content-type": body.stream ? "text/event-stream" : "application/json" };
  if (model.startsWith("tools-")) return tools(body, Number(model.slice(6)), response);
  if (!body.stream) return response.writeHead(200, head).end(whole);
  if (model === "echo")
    return response
      .writeHead(200, head)
      .end(
        chunk({ role: "assistant", content: "Hello there, this is the answer." }) + chunk({}, "stop") + usage,
      );
  const [, count, pause] = model.split("-").map(Number);
  response.writeHead(200, head);
  let sent = 0;
  response.write(chunk({ role: "assistant", content: `${now()} ` }));
  const timer = setInterval(() => {
    if (++sent >= count) {
      clearInterval(timer);
      response.end(chunk({}, "stop") + usage);
    } else response.write(chunk({ content: `${now()} ` }));
  }, pause);
  response.on("close", () => {
    clearInterval(timer);
    if (!response.writableFinished) aborts.push(now());
  });
}

function tools(body, count, response) {
  if (lastEnd > 0 && body.messages.some(({ role }) => role === "tool")) gaps.push(now() - lastEnd);
  const done = body.messages.filter(({ role }) => role === "tool").length;
  const file = files[done % files.length];
  response.writeHead(200, { "content-type": "text/event-stream" });
  const call = {
    index: 0,
    id: `call_${Math.random().toString(36).slice(2)}`,
    type: "function",
    function: {
      name: "file_operations",
      arguments: JSON.stringify({ operation: "read_file", filePath: file }),
    },
  };
  response.end(
    done < count
      ? chunk({ role: "assistant", tool_calls: [call] }) + chunk({}, "tool_calls") + usage
      : chunk({ role: "assistant", content: "done" }) + chunk({}, "stop") + usage,
    () => (lastEnd = now()),
  );
}

createServer((request, response) => {
  if (request.url.startsWith("/stats")) {
    response.end(JSON.stringify({ gaps: gaps.splice(0), aborts: aborts.splice(0) }));
    lastEnd = 0;
    return;
  }
  if (request.method === "GET")
    return response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ object: "list", data: [] }));
  const pieces = [];
  request
    .on("data", (piece) => pieces.push(piece))
    .on("end", () => answer(JSON.parse(Buffer.concat(pieces)), response));
}).listen(0, "127.0.0.1", function () {
  console.log(this.address().port);
});
