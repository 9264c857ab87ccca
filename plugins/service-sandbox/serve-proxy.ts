import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { AddressInfo, ListenOptions, Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { gateScript } from "./gate-script.ts";
import { createProxy, type ProxyRules } from "./network-proxy.ts";

/** A proxy that listens, and a folder of this account with the script of the gate. */
export interface ServedProxy {
  readonly folder: string;
  /** undefined: it listens on no port. */
  readonly port: number | undefined;
  /** No connection is left afterwards. */
  readonly close: () => Promise<void>;
}

/** Serves a proxy at a place that may lie in its folder. */
export async function serveProxy(
  rules: ProxyRules,
  placeIn: (folder: string) => ListenOptions,
): Promise<ServedProxy> {
  const folder = await mkdtemp(path.join(tmpdir(), "pergola-gate-"));
  const proxy = createProxy(rules);
  const connections = new Set<Socket>();
  proxy.on("connection", (socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  try {
    await writeFile(path.join(folder, "gate.cjs"), gateScript, { mode: 0o444 });
    await once(proxy.listen(placeIn(folder)), "listening");
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  const at = proxy.address() as AddressInfo | string;
  return {
    folder,
    port: typeof at === "string" ? undefined : at.port,
    close: async () => {
      const closed = once(proxy, "close");
      proxy.close();
      connections.forEach((socket) => socket.destroy());
      await closed;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
