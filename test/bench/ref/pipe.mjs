// The reference for relaying: a pass-through over plain node:http that parses nothing and keeps nothing.
// Arguments: the model's port.
import { Agent, createServer, request as send } from "node:http";

const agent = new Agent({ keepAlive: true, maxSockets: 2000 });
const port = Number(process.argv[2]);

const server = createServer((request, response) => {
  if (request.method === "GET") return response.end("{}");
  const upstream = send(
    { port, host: "127.0.0.1", path: request.url, method: request.method, headers: request.headers, agent },
    (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    },
  );
  upstream.on("error", () => response.destroy());
  response.on("close", () => upstream.destroy());
  request.pipe(upstream);
});
// A leg waits for its turn: nobody must find its connections closed when it comes.
server.keepAliveTimeout = 3_600_000;
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
