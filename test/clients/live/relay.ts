import { once } from "node:events";
import { createServer, request as send, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One request of a client, and what Pergola answered. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly sent: string;
  status: number;
  received: string;
}

/** Stands between a client and the host, changes nothing, and records both directions. */
export interface Relay {
  readonly url: string;
  readonly exchanges: readonly Exchange[];
  /** Forgets what was recorded. */
  clear(): void;
  close(): Promise<void>;
}

const limit = 400_000;

async function read(message: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of message) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

function forward(from: IncomingMessage, to: ServerResponse, exchange: Exchange): void {
  exchange.status = from.statusCode ?? 0;
  to.writeHead(exchange.status, from.headers);
  to.flushHeaders();
  from.on("data", (piece: Buffer) => {
    if (exchange.received.length < limit) exchange.received += piece.toString("utf8");
    to.write(piece);
  });
  from.on("end", () => to.end());
  from.on("error", () => to.destroy());
}

export async function openRelay(target: string): Promise<Relay> {
  const exchanges: Exchange[] = [];
  const { hostname, port, host } = new URL(target);
  const server = createServer((message, response) => void relay(message, response));

  async function relay(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await read(message).catch(() => undefined);
    if (body === undefined) return;
    const [method, path] = [message.method ?? "GET", message.url ?? "/"];
    const exchange = { method, path, sent: body.toString("utf8").slice(0, limit), status: 0, received: "" };
    exchanges.push(exchange);
    const { "transfer-encoding": _, ...rest } = message.headers;
    const headers = { ...rest, host, "accept-encoding": "identity", "content-length": body.length };
    const onward = send({ hostname, port, method, path, headers });
    onward.on("response", (answer) => forward(answer, response, exchange));
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    onward.end(body);
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get exchanges() {
      return exchanges;
    },
    clear: () => void exchanges.splice(0),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
