import path from "node:path";
import type { SandboxMount } from "@pergola/sdk/host";
import { gatePort } from "./gate-script.ts";
import { proxyVariables } from "./proxy-variables.ts";
import type { ProxyRules } from "./network-proxy.ts";
import { serveProxy } from "./serve-proxy.ts";

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
  /** Where the host itself listens for it; undefined: not on a port. */
  readonly port?: number;
  /** No connection is left afterwards. */
  close(): Promise<void>;
}

/**
 * Opens a proxy on a socket that nobody else can reach: in a folder of this account, bound into one sandbox.
 */
export async function openGate(rules: ProxyRules): Promise<Gate> {
  const { folder, close } = await serveProxy(rules, (own) => ({ path: path.join(own, "socket") }));
  return {
    mounts: [
      { from: process.execPath, to: inside.node },
      { from: folder, to: inside.folder },
    ],
    env: proxyVariables(address, [inside.node, script]),
    enter: (program, args) => ({
      program: "/bin/sh",
      args: ["-c", entry, inside.node, script, `${inside.folder}/socket`, program, ...args],
    }),
    close,
  };
}
