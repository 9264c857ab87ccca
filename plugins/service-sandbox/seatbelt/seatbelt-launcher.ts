import { existsSync, realpathSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { defined } from "@pergola/sdk";
import type { SandboxPlan } from "@pergola/sdk/host";
import { noLauncher, type Launcher } from "../launcher.ts";
import { limited } from "../limit-shell.ts";
import { seatbeltProfile } from "./seatbelt-profile.ts";

const sandboxExec = "/usr/bin/sandbox-exec";

/** Where programs are looked for: where their profile lets them be read. */
const folders = ["/usr/local/bin", "/opt/homebrew/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"];

const realOf = (file: string): string => (existsSync(file) ? realpathSync(file) : file);

function programPath(program: string): string {
  if (program.includes("/")) return realOf(program);
  const found = folders.map((folder) => path.join(folder, program)).find((file) => existsSync(file));
  return realOf(found ?? program);
}

/** Throws for a plan that shows a file at another path than its own: there are no mounts here. */
function requireRealPaths({ read }: SandboxPlan): void {
  const moved = read.find((mount) => typeof mount !== "string" && mount.from !== mount.to);
  if (moved !== undefined) throw new Error("sandbox-exec shows files at their own paths only");
}

/** Every path as the system calls it: rules are about real paths, `/private/tmp` and not `/tmp`. */
function realPlan(plan: SandboxPlan): SandboxPlan {
  const { read, write, keep, hide = [] } = plan;
  const from = read.map((mount) => realOf(typeof mount === "string" ? mount : mount.from));
  const real = (files: readonly string[]): readonly string[] => files.map(realOf);
  return { ...plan, read: from, write: real(write), keep: real(keep), hide: real(hide) };
}

/** Memory is watched by whoever starts the process: this system heeds no limit of it. */
const shellLimits = ({ limits }: SandboxPlan): SandboxPlan["limits"] => ({ ...limits, dataBytes: Infinity });

/** macOS: rules of the kernel by sandbox-exec, which Apple calls deprecated and still brings. */
export function seatbeltLauncher(isThere = existsSync(sandboxExec)): Launcher {
  if (!isThere) return noLauncher(`${sandboxExec} is missing`, "Use a macOS that brings it.");
  return {
    state: {
      works: true,
      by: "sandbox-exec",
      fences: ["rules by path", "memory watched, not limited"],
      inPlace: true,
    },
    async commandLine(plan, name, args, proxyPort) {
      requireRealPaths(plan);
      const program = programPath(name);
      const isWriting = plan.limits.scratchBytes > 0;
      const scratch = isWriting
        ? await mkdtemp(path.join(realpathSync(tmpdir()), "pergola-scratch-"))
        : undefined;
      const { text, parameters } = seatbeltProfile(realPlan(plan), { program, scratch, proxyPort });
      const given = Object.entries(parameters).flatMap(([key, file]) => ["-D", `${key}=${file}`]);
      const line = [sandboxExec, ...given, "-p", text, "--", program, ...args];
      return {
        ...limited(shellLimits(plan), undefined, line),
        env: defined({ HOME: scratch, TMPDIR: scratch }),
        release: async () => {
          if (scratch !== undefined) await rm(scratch, { recursive: true, force: true });
        },
      };
    },
  };
}
