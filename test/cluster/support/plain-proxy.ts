import { once } from "node:events";
import { createServer, request as ask, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export interface PlainProxy {
  readonly url: string;
  close(): void;
}

/** Sends each request to the URL that `next` names for it, whether that host is well or not. */
export async function openPlainProxy(next: (incoming: IncomingMessage) => string): Promise<PlainProxy> {
  const server = createServer((incoming, outgoing) => {
    const target = new URL(incoming.url ?? "/", next(incoming));
    const headers = { ...incoming.headers, host: target.host };
    const forward = ask(target, { method: incoming.method, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
      answer.on("error", () => outgoing.destroy());
    });
    forward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => forward.destroy());
    incoming.pipe(forward);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
