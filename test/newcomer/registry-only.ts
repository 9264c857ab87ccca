import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";

export interface RegistryOnly {
  /** The address of the proxy. */
  readonly url: string;
  /** The hosts that were asked for and not reached. */
  readonly refused: ReadonlySet<string>;
  close(): Promise<void>;
}

/** A proxy that leads to one registry of packages and to nothing else. */
export async function openRegistryOnly(registry: string): Promise<RegistryOnly> {
  const { hostname } = new URL(registry);
  const refused = new Set<string>();
  const server = createServer((request, response) => {
    refused.add(request.url ?? "");
    response.writeHead(403).end();
  });
  server.on("connect", ({ url = "" }, client) => {
    const { hostname: host, port } = new URL(`https://${url}`);
    client.on("error", () => client.destroy());
    if (host !== hostname) {
      refused.add(host);
      return void client.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    }
    const target = connect(Number(port || 443), host, () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      target.pipe(client).pipe(target);
    });
    target.on("error", () => client.destroy());
    client.on("close", () => target.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
