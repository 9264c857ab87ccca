import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
  readonly body: unknown;
}

export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

export const json =
  (body: unknown, status = 200): Answer =>
  (response) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

export const bytes =
  (content: Uint8Array, type = "image/png"): Answer =>
  (response) =>
    void response.writeHead(200, { "content-type": type }).end(content);

/** Never answers. */
export const silence: Answer = () => undefined;

export const made = (...image_urls: unknown[]): Answer =>
  json({ choices: [{ message: { content: "", image_urls } }] });

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
  const text = Buffer.concat(pieces).toString();
  return text === "" ? undefined : (JSON.parse(text) as unknown);
}

/**
 * An image service on loopback that answers as told, by method and path, and writes down what it was asked.
 */
export async function fakeService(answers: Readonly<Record<string, Answer>> = {}) {
  const asked: Asked[] = [];
  let closed = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "", url = "", headers } = request;
    response.on("close", () => (closed += 1));
    asked.push({
      method,
      path: url,
      key: headers["x-api-key"] as string | undefined,
      body: await bodyOf(request),
    });
    (answers[`${method} ${url}`] ?? json({ error: { message: "No such page" } }, 404))(response, request);
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    asked,
    closed: () => closed,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type FakeService = Awaited<ReturnType<typeof fakeService>>;
