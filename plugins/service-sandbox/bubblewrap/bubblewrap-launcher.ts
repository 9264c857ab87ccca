import { existsSync } from "node:fs";
import { chmod, mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import type { SandboxPlan } from "@pergola/sdk/host";
import { seccompFilter } from "../filter/seccomp.ts";
import { noLauncher, type Launcher } from "../launcher.ts";
import { filterDescriptor, limited } from "../limit-shell.ts";
import { bubblewrapArguments } from "./bubblewrap-arguments.ts";
import { findBubblewrap } from "./find-bubblewrap.ts";

type Kind = SandboxPlan["kind"];
type Filters = Readonly<Record<Kind, string | undefined>>;

/** The one account that a plugin sees: without any, looking up its own name would fail. */
const nobody = "plugin:x:65534:65534::/tmp:/\n";
const limiter = "/usr/bin/prlimit";

/** A file that no other start of the service is writing at the same time. */
async function writeWhole(file: string, content: string | Uint8Array): Promise<string> {
  const fresh = `${file}.${process.pid}`;
  await writeFile(fresh, content, { mode: 0o400 });
  await rename(fresh, file);
  return file;
}

/** Writes the filter of system calls into a file of its own; undefined on a processor that has none. */
async function writeFilter(folder: string, kind: Kind): Promise<string | undefined> {
  const filter = seccompFilter(kind, process.arch);
  return filter && writeWhole(path.join(folder, `${kind}.bpf`), filter);
}

/** Set inside, where it counts the sandbox's processes only; root is not bound by it. */
const counted = ({ kind, limits: { processes } }: SandboxPlan): readonly string[] =>
  kind === "program" && Number.isFinite(processes) && existsSync(limiter)
    ? [limiter, `--nproc=${processes}`, "--"]
    : [];

/** Linux: namespaces by bubblewrap, a filter of system calls, limits of memory, files and descriptors. */
export async function bubblewrapLauncher(dataDirectory: string, find = findBubblewrap): Promise<Launcher> {
  const bubblewrap = await find();
  if (bubblewrap === undefined)
    return noLauncher(
      "bubblewrap (bwrap) is not installed",
      "Install the package bubblewrap (0.6 or newer).",
    );
  const folder = path.join(dataDirectory, "sandbox");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const [accounts, plugin, program] = await Promise.all([
    writeWhole(path.join(folder, "passwd"), nobody),
    writeFilter(folder, "plugin"),
    writeFilter(folder, "program"),
  ]);
  const filters: Filters = { plugin, program };
  const fences = ["namespaces", plugin && "seccomp", "limits"].filter((fence) => fence !== undefined);
  return {
    state: { works: true, by: `bubblewrap ${bubblewrap.version}`, fences },
    commandLine(plan, name, args) {
      const filter = filters[plan.kind];
      const filtered = filter === undefined ? [] : ["--seccomp", String(filterDescriptor)];
      const line = [
        bubblewrap.program,
        ...bubblewrapArguments(plan, bubblewrap, accounts),
        ...filtered,
        ...["--", ...counted(plan), name, ...args],
      ];
      return { ...limited(plan.limits, filter, line), env: {} };
    },
  };
}
