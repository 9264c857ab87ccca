import http, { type RequestListener } from "node:http";
import type { AddressInfo, LookupFunction, Server } from "node:net";

export interface Canary {
  readonly port: number;
  /** TCP connections so far. */
  readonly connections: () => number;
  /** Connections that are open now. */
  readonly open: () => Promise<number>;
}

const started: Server[] = [];

/** An HTTP server on loopback that counts connections, not requests. */
export async function serve(
  listener: RequestListener,
  { host = "127.0.0.1", port = 0 } = {},
): Promise<Canary> {
  const server = http.createServer(listener);
  let connections = 0;
  server.on("connection", () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  started.push(server);
  const open = () =>
    new Promise<number>((resolve, reject) =>
      server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
    );
  return { port: (server.address() as AddressInfo).port, connections: () => connections, open };
}

/** Ends every server and its connections. */
export async function stopServers(): Promise<void> {
  for (const server of started.splice(0) as http.Server[]) {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }
}

/** A resolver that knows the given names only, and counts how often it was asked. */
export function resolver(names: Readonly<Record<string, readonly string[]>>): {
  readonly lookup: LookupFunction;
  asked(): number;
} {
  let asked = 0;
  const lookup: LookupFunction = (host, _options, done) => {
    asked += 1;
    const found = names[host]?.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    if (found === undefined) done(Object.assign(new Error(`no ${host}`), { code: "ENOTFOUND" }), []);
    else done(null, found);
  };
  return { lookup, asked: () => asked };
}
