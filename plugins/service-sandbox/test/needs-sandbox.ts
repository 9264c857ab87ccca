import { spawnSync } from "node:child_process";

/** Skips where there is no bubblewrap that may make namespaces. */
export function needsSandbox(this: Mocha.Context): void {
  const { status } = spawnSync("bwrap", ["--unshare-user", "--unshare-pid", "--ro-bind", "/", "/", "true"]);
  if (status === 0) return;
  process.stdout.write("skipped: bwrap is missing or may not make namespaces (Debian: bubblewrap)\n");
  this.skip();
}
