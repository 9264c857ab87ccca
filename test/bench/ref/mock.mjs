// A scripted model over plain node:http. The model's name is the script: `echo` answers at once, `s-N-P`
// streams N texts, one every P ms, each of them its time of sending, `tools-K` asks for K file reads, one
// after the other, and then answers, `sums-N` asks for N sums at once. Argument: the folder of the files. Prints its port; answers GET /stats with what it measured
// since, GET /last with the body of the last request.
import { createServer } from "node:http";
import { readdirSync } from "node:fs";

const folder = process.argv[2];
const files = folder ? readdirSync(folder) : [];
const gaps = [];
const aborts = [];
let lastEnd = 0;
let lastBody = Buffer.from("{}");
const now = () => Number(process.hrtime.bigint()) / 1e6;

const object = { id: "x", object: "chat.completion.chunk", created: 1, model: "m" };
const frame = (value) => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (delta, finish = null) =>
  frame({ ...object, choices: [{ index: 0, delta, finish_reason: finish }] });
const counts = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const end = `${frame({ ...object, choices: [], usage: counts })}data: [DONE]\n\n`;
const text = "Hello there, this is the answer.";
const whole = JSON.stringify({
  ...object,
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
  usage: counts,
});
const echoed = chunk({ role: "assistant", content: text }) + chunk({}, "stop") + end;
const [before, after] = chunk({ content: "TIME" }).split("TIME");

/** The stamp's sign is nowhere else in a stream: whoever counts chunks counts it. */
const stamped = () => `${before}@${now().toFixed(3)} ${after}`;

/** Only the parts that the script needs: parsing megabytes would be measured with the service. */
const modelOf = (body) =>
  /"model":\s*"([^"]*)"/.exec(fieldAt(body, '"model":'))?.[1]?.split("/").at(-1) ?? "";
const isStream = (body) => /"stream":\s*true/.test(fieldAt(body, '"stream":'));

function fieldAt(body, name) {
  const at = body.indexOf(name);
  return at < 0 ? "" : body.toString("latin1", at, at + 120);
}

function answer(body, response, arrived) {
  const model = modelOf(body);
  if (model.startsWith("tools-")) return tools(body, Number(model.slice(6)), response, arrived);
  if (model.startsWith("sums-")) return sums(body, Number(model.slice(5)), response);
  const streams = isStream(body);
  response.writeHead(200, { "content-type": streams ? "text/event-stream" : "application/json" });
  if (!streams) return response.end(whole);
  if (!model.startsWith("s-")) return response.end(echoed);
  const [, count, pause] = model.split("-").map(Number);
  let sent = 1;
  response.write(stamped());
  const timer = setInterval(() => {
    if (++sent <= count) return response.write(stamped());
    clearInterval(timer);
    response.end(chunk({}, "stop") + end);
  }, pause);
  response.on("close", () => {
    clearInterval(timer);
    if (!response.writableFinished) aborts.push(now());
  });
}

function tools(body, count, response, arrived) {
  const { messages } = JSON.parse(body);
  const done = messages.filter(({ role }) => role === "tool").length;
  if (lastEnd > 0 && done > 0) gaps.push(arrived - lastEnd);
  const file = files[done % files.length];
  const call = callOf(0, "file_operations", { operation: "read_file", filePath: file });
  const reply =
    done < count
      ? chunk({ role: "assistant", tool_calls: [call] }) + chunk({}, "tool_calls")
      : chunk({ role: "assistant", content: "done" }) + chunk({}, "stop");
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(reply + end, () => (lastEnd = now()));
}

const callOf = (index, name, args) => ({
  index,
  id: `call_${Math.random().toString(36).slice(2)}`,
  type: "function",
  function: { name, arguments: JSON.stringify(args) },
});

function sums(body, count, response) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  if (JSON.parse(body).messages.at(-1).role === "tool")
    return response.end(chunk({ role: "assistant", content: "done" }) + chunk({}, "stop") + end);
  const calls = Array.from({ length: count }, (_, index) =>
    callOf(index, "math_operations", { operation: "calculate", expression: `${index} + ${count}` }),
  );
  response.end(chunk({ role: "assistant", tool_calls: calls }) + chunk({}, "tool_calls") + end);
}

const json = (response, value) =>
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));

const server = createServer((request, response) => {
  if (request.url === "/last") return response.end(lastBody);
  if (request.url === "/stats") {
    lastEnd = 0;
    return json(response, { gaps: gaps.splice(0), aborts: aborts.splice(0) });
  }
  if (request.method === "GET") return json(response, { object: "list", data: [] });
  const pieces = [];
  request
    .on("data", (piece) => pieces.push(piece))
    .on("end", () => {
      const arrived = now();
      lastBody = Buffer.concat(pieces);
      answer(lastBody, response, arrived);
    });
});
// A leg waits for its turn: nobody must find its connections closed when it comes.
server.keepAliveTimeout = 3_600_000;
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
