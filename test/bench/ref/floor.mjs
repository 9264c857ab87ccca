// The reference for the tool loop: ask, read the file, keep each message in one durable SQLite transaction,
// ask again. Nothing around it. Arguments: the model's port, the folder, the store's file, a file with the tools
// to send. Runs a loop for each line of stdin (the model's name and the user's text), several at once where
// lines come fast, and prints `done` after each.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { Agent, request as send } from "node:http";
import path from "node:path";
import { createInterface } from "node:readline";

const [port, folder, file, toolsFile] = process.argv.slice(2);
const tools = JSON.parse(readFileSync(toolsFile, "utf8"));
const Database = createRequire(new URL("../../../plugins/storage-sqlite/package.json", import.meta.url))(
  "better-sqlite3",
);
const db = new Database(file);
db.pragma("journal_mode=WAL");
db.pragma("synchronous=FULL");
db.exec("CREATE TABLE message (id INTEGER PRIMARY KEY, body TEXT)");
const insert = db.prepare("INSERT INTO message (body) VALUES (?)");
const keep = db.transaction((message) => insert.run(JSON.stringify(message)));
const agent = new Agent({ keepAlive: true });

const ask = (body) =>
  new Promise((resolve, reject) => {
    const request = send(
      {
        port,
        host: "127.0.0.1",
        path: "/v1/chat/completions",
        method: "POST",
        agent,
        headers: { "content-type": "application/json" },
      },
      (answer) => {
        let text = "";
        answer
          .setEncoding("utf8")
          .on("data", (piece) => (text += piece))
          .on("end", () => resolve(text));
      },
    );
    request.on("error", reject);
    request.end(JSON.stringify(body));
  });

function callOf(text) {
  for (const line of text.split("\n")) {
    const data = line.startsWith("data: {") ? JSON.parse(line.slice(6)) : undefined;
    const call = data?.choices[0]?.delta.tool_calls?.[0];
    if (call) return call;
  }
  return undefined;
}

async function loop(model, text) {
  const messages = [{ role: "user", content: text }];
  keep(messages[0]);
  for (;;) {
    const call = callOf(await ask({ model, messages, stream: true, tools }));
    if (!call) return;
    const asked = { role: "assistant", content: null, tool_calls: [call] };
    keep(asked);
    const content = await readFile(path.join(folder, JSON.parse(call.function.arguments).filePath), "utf8");
    const result = { role: "tool", tool_call_id: call.id, content };
    keep(result);
    messages.push(asked, result);
  }
}

console.log(0);
createInterface({ input: process.stdin }).on("line", (line) => {
  const space = line.indexOf(" ");
  void loop(line.slice(0, space), line.slice(space + 1)).then(() => console.log("done"));
});
