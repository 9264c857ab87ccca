import { createSocket } from "node:dgram";
import { lookup, resolve4 } from "node:dns/promises";
import { createServer } from "node:http";
import { connect } from "node:net";
import { eventually, tried } from "./tried.ts";

interface Targets {
  readonly port: number;
  readonly sockets: readonly string[];
}

const reach = (at: { readonly port: number; readonly host: string } | { readonly path: string }) =>
  tried(() =>
    eventually((resolve, reject) =>
      connect(at as never)
        .once("connect", resolve)
        .once("error", reject),
    ),
  );

/** X05, and the way to the service's own door of X18. */
export const network = async ({ port, sockets }: Targets) => ({
  fetched: await Promise.all(
    [`http://127.0.0.1:${port}/health`, `http://localhost:${port}/health`, "http://1.1.1.1/"].map((url) =>
      tried(() => fetch(url, { signal: AbortSignal.timeout(3000) })),
    ),
  ),
  connected: await Promise.all(
    ["127.0.0.1", "::1", "10.0.0.1", "169.254.169.254"].map((host) => reach({ port, host })),
  ),
  sockets: await Promise.all(sockets.map((path) => reach({ path }))),
  sent: await tried(() =>
    eventually((resolve, reject) => {
      const socket = createSocket("udp4").once("error", reject);
      socket.send("x", port, "127.0.0.1", (error) => (error ? reject(error) : resolve("sent")));
    }),
  ),
  names: await Promise.all([tried(() => lookup("example.org")), tried(() => resolve4("example.org"))]),
  listened: await tried(() =>
    eventually((resolve, reject) =>
      createServer()
        .once("error", reject)
        .listen(0, () => resolve("listening")),
    ),
  ),
});
