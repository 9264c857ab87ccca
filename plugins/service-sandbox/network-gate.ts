import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { SandboxMount } from "@pergola/sdk/host";
import { gatePort, gateScript } from "./gate-script.ts";
import { createProxy, type ProxyRules } from "./network-proxy.ts";

/** Where the gate's folder, and Node for its script, are in the sandbox. */
const inside = { folder: "/run/pergola/gate", node: "/run/pergola/node" };

const script = `${inside.folder}/gate.cjs`;
const address = `http://127.0.0.1:${gatePort}`;

/**
 * Starts the script and goes on as the program. The script is nobody's child, so the program never meets it;
 * its output ends when it listens. Without it nothing runs.
 */
const entry =
  '[ "$( ("$0" "$1" listen "$2" </dev/null 2>/dev/null &) )" = ready ] || ' +
  '{ echo "pergola: the network gate did not open" >&2; exit 125; }; shift 2; exec "$@"';

/** The way of one sandbox to the network, through a proxy of the host. */
export interface Gate {
  /** What its sandbox has to see. */
  readonly mounts: readonly SandboxMount[];
  /** For the program and all it starts. */
  readonly env: Readonly<Record<string, string>>;
  /** What takes the place of a command line in the sandbox: opens the gate, and becomes the program. */
  enter(
    program: string,
    args: readonly string[],
  ): { readonly program: string; readonly args: readonly string[] };
  /** No connection is left afterwards. */
  close(): Promise<void>;
}

/** What programs read to find a proxy; a server that they start themselves they reach directly. */
const environment: Gate["env"] = {
  ...Object.fromEntries(
    ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].map((name) => [
      name,
      address,
    ]),
  ),
  no_proxy: "localhost,127.0.0.1,::1",
  NO_PROXY: "localhost,127.0.0.1,::1",
  NODE_USE_ENV_PROXY: "1",
  // git takes these over every other configuration, an http.proxy of the person's too.
  GIT_CONFIG_PARAMETERS: `'http.proxy=${address}'`,
  GIT_SSH_COMMAND: `ssh -oBatchMode=yes -oProxyCommand='${inside.node} ${script} connect %h %p'`,
};

/**
 * Opens a proxy on a socket that nobody else can reach: in a folder of this account, bound into one sandbox.
 */
export async function openGate(rules: ProxyRules): Promise<Gate> {
  const folder = await mkdtemp(path.join(tmpdir(), "pergola-gate-"));
  const proxy = createProxy(rules);
  const connections = new Set<Socket>();
  proxy.on("connection", (socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  try {
    await writeFile(path.join(folder, "gate.cjs"), gateScript, { mode: 0o444 });
    await once(proxy.listen(path.join(folder, "socket")), "listening");
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    mounts: [
      { from: process.execPath, to: inside.node },
      { from: folder, to: inside.folder },
    ],
    env: environment,
    enter: (program, args) => ({
      program: "/bin/sh",
      args: ["-c", entry, inside.node, script, `${inside.folder}/socket`, program, ...args],
    }),
    close: async () => {
      const closed = once(proxy, "close");
      proxy.close();
      connections.forEach((socket) => socket.destroy());
      await closed;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
