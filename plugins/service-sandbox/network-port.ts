import { randomBytes } from "node:crypto";
import { realpath } from "node:fs/promises";
import path from "node:path";
import type { Gate } from "./network-gate.ts";
import type { ProxyRules } from "./network-proxy.ts";
import { proxyVariables } from "./proxy-variables.ts";
import { serveProxy } from "./serve-proxy.ts";

/**
 * Opens a proxy on a port of this computer's loopback, for systems where a sandbox has none of its own.
 * Others reach the port too, so it wants a password that only this program is given.
 */
export async function openPort(rules: ProxyRules): Promise<Gate> {
  const password = randomBytes(24).toString("hex");
  const served = await serveProxy({ ...rules, password }, () => ({ host: "127.0.0.1", port: 0 }));
  const { port = 0, close } = served;
  const [folder, node] = await Promise.all([realpath(served.folder), realpath(process.execPath)]);
  return {
    mounts: [node, folder].map((file) => ({ from: file, to: file })),
    env: proxyVariables(`http://pergola:${password}@127.0.0.1:${port}`, [
      node,
      path.join(folder, "gate.cjs"),
    ]),
    enter: (program, args) => ({ program, args }),
    port,
    close,
  };
}
