// The reference for a chat turn: a pass-through over plain node:http that parses both messages and keeps them
// in one durable SQLite transaction before the answer ends. Arguments: the model's port, the store's file.
import { createRequire } from "node:module";
import { Agent, createServer, request as send } from "node:http";

const [port, file] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 2000 });
const Database = createRequire(new URL("../../../plugins/storage-sqlite/package.json", import.meta.url))(
  "better-sqlite3",
);
const db = new Database(file);
db.pragma("journal_mode=WAL");
db.pragma("synchronous=FULL");
db.exec("CREATE TABLE message (id INTEGER PRIMARY KEY, body TEXT)");
const insert = db.prepare("INSERT INTO message (body) VALUES (?)");
const keep = db.transaction((messages) => {
  for (const message of messages) insert.run(JSON.stringify(message));
});

const whole = (stream, then) => {
  const pieces = [];
  stream.on("data", (piece) => pieces.push(piece)).on("end", () => then(Buffer.concat(pieces)));
};

const server = createServer((request, response) => {
  if (request.method === "GET") return response.end("{}");
  whole(request, (body) => {
    const { messages } = JSON.parse(body);
    const upstream = send(
      { port, host: "127.0.0.1", path: request.url, method: request.method, headers: request.headers, agent },
      (answer) =>
        whole(answer, (text) => {
          keep([messages.at(-1), JSON.parse(text).choices[0].message]);
          response.writeHead(answer.statusCode, { "content-type": "application/json" }).end(text);
        }),
    );
    upstream.on("error", () => response.destroy());
    response.on("close", () => upstream.destroy());
    upstream.end(body);
  });
});
// A leg waits for its turn: nobody must find its connections closed when it comes.
server.keepAliveTimeout = 3_600_000;
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
