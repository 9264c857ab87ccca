// Makes the store of an earlier Pergola: starts the service of a checkout, holds the same conversations with it,
// and packs its database.
//   node make-store.mjs <checkout> <file.db.gz>
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";

const [checkout, target] = process.argv.slice(2);
const Database = createRequire(import.meta.url)("better-sqlite3");
const folder = mkdtempSync(path.join(tmpdir(), "pergola-store-"));

const frame = (delta, reason = null) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "test", choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;

/** A model that calls the tool named in the last words of the person, or says what it was asked. */
const model = createServer((request, response) => {
  let text = "";
  request.on("data", (piece) => (text += piece));
  request.on("end", () => {
    if (request.url.endsWith("/models"))
      return void response
        .setHeader("content-type", "application/json")
        .end(JSON.stringify({ object: "list", data: [{ id: "test" }] }));
    const { messages } = JSON.parse(text);
    const asked = JSON.stringify(messages.findLast(({ role }) => role === "user")?.content ?? "");
    const [, coded] = /call:([\w-]+)/.exec(asked) ?? [];
    response.setHeader("content-type", "text/event-stream");
    const isAnswered = messages.at(-1)?.role === "tool";
    if (coded === undefined || isAnswered) {
      response.write(
        frame({ role: "assistant", content: isAnswered ? "It is done." : "Tea grows in the hills." }),
      );
      return void response.end(`${frame({}, "stop")}data: [DONE]\n\n`);
    }
    const call = JSON.parse(Buffer.from(coded, "base64url").toString());
    const made = { name: call.name, arguments: JSON.stringify(call.arguments) };
    response.write(
      frame({ tool_calls: [{ index: 0, id: `call_${call.name}`, type: "function", function: made }] }),
    );
    response.end(`${frame({}, "tool_calls")}data: [DONE]\n\n`);
  });
});
await new Promise((resolve) => model.listen(0, "127.0.0.1", resolve));

const settings = path.join(folder, "pergola.json");
const data = path.join(folder, "data");
const port = 20_000 + (process.pid % 20_000);
writeFileSync(
  settings,
  JSON.stringify({
    default_model: "custom/test",
    "memory.embedding_model": "",
    "providers.list": [{ type: "custom", base_url: `http://127.0.0.1:${model.address().port}/v1` }],
    "models.overrides": { "custom/test": { supportsTools: true, contextWindow: 1_000_000 } },
  }),
);
const service = spawn(
  process.execPath,
  ["--conditions=source", "--import", "tsx", "core/main.ts", "start"].concat([
    "--settings",
    settings,
    "--data",
    data,
    "--port",
    String(port),
  ]),
  { cwd: checkout, stdio: ["ignore", "inherit", "inherit"] },
);
const url = `http://127.0.0.1:${port}`;
const send = async (route, body) => {
  const answer = await fetch(url + route, {
    method: body === undefined ? "GET" : "POST",
    ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  process.stdout.write(`${route} ${answer.status} ${text.slice(0, 200)}\n`);
};
for (let tries = 0; tries < 240; tries++) {
  if (
    await fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  )
    break;
  await sleep(500);
}

const id = "11111111-1111-4111-8111-111111111111";
const chat = (content) =>
  send("/v1/chat/completions", {
    model: "custom/test",
    conversation_id: id,
    messages: [{ role: "user", content }],
  });
const call = (name, args) =>
  chat(`Please call:${Buffer.from(JSON.stringify({ name, arguments: args })).toString("base64url")}`);
await chat("Where does tea grow?");
await call("think", { operation: "think", thought: "Tea needs rain." });
await call("todo_operations", {
  operation: "write",
  todoList: [{ id: 1, title: "Buy tea", status: "not-started" }],
});
await call("memory_operations", {
  operation: "store_memory",
  content: "The person likes green tea.",
  tags: ["tea"],
});
const content = "A line of a large file.\n".repeat(2500);
await call("file_operations", { operation: "create_file", path: "large.txt", content });
await call("file_operations", { operation: "read_file", path: "large.txt" });
await send("/v1/chat/completions", {
  model: "custom/test",
  messages: [{ role: "user", content: "Grüße 🌿" }],
});

service.kill("SIGTERM");
await new Promise((resolve) => service.once("exit", resolve));
model.close();
const packed = path.join(folder, "packed.db");
const database = new Database(path.join(data, "pergola.db"));
database.prepare("VACUUM INTO ?").run(packed);
database.close();
writeFileSync(target, gzipSync(readFileSync(packed), { level: 9 }));
rmSync(folder, { recursive: true, force: true });
