import { spawnSync } from "node:child_process";

const packages: Readonly<Record<string, string>> = {
  bwrap: "bubblewrap",
  setpriv: "util-linux",
  unshare: "util-linux",
  gcc: "gcc",
  scmp_sys_resolver: "seccomp",
};

/** Skips where a program is missing, naming its Debian package, or where bwrap may not make namespaces. */
export function needsPrograms(this: Mocha.Context, programs: readonly string[]): void {
  const missing = programs.filter((program) => spawnSync("which", [program]).status !== 0);
  const isForbidden =
    programs.includes("bwrap") &&
    missing.length === 0 &&
    spawnSync("bwrap", ["--unshare-user", "--unshare-pid", "--ro-bind", "/", "/", "true"]).status !== 0;
  if (missing.length === 0 && !isForbidden) return;
  const names = missing.map((program) => packages[program] ?? program);
  const reason = isForbidden ? "bwrap may not make namespaces" : `missing (Debian: ${names.join(", ")})`;
  process.stdout.write(`skipped: ${reason}\n`);
  this.skip();
}
