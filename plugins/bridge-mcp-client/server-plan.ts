import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import type { SandboxPlan } from "@pergola/sdk/host";
import type { ServerSettings } from "./server-settings.ts";

const mebibyte = 2 ** 20;

const limits: SandboxPlan["limits"] = {
  dataBytes: Infinity,
  fileBytes: Infinity,
  scratchBytes: 256 * mebibyte,
  processes: 512,
  files: Infinity,
};

/** A path in which `~` is the person's home. */
export const withHome = (path: string): string => path.replace(/^~(?=\/|$)/, homedir());

/** Real paths of what exists. */
const places = (paths: readonly string[] = []): readonly string[] =>
  paths
    .map(withHome)
    .filter((one) => existsSync(one))
    .map((one) => realpathSync(one));

/** What a server with `sandbox: true` sees: the system, an empty home, and what its entry lists. */
export function serverPlan({ read, write, network = "none", cwd }: ServerSettings): SandboxPlan {
  const folder = places(cwd === undefined ? [] : [cwd]);
  return {
    kind: "program",
    read: [...folder, ...places(read)],
    write: places(write),
    keep: [],
    keepNames: "protected",
    network: network === "none" ? network : { hosts: network },
    limits,
    workingDirectory: folder[0] ?? "/tmp/home",
  };
}
