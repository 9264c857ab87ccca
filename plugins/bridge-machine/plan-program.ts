import { existsSync } from "node:fs";
import { totalmem } from "node:os";
import path from "node:path";
import { isBelow, type SpawnOptions } from "@pergola/sdk";
import type { DoorOptions, SandboxPlan } from "@pergola/sdk/host";
import { realPath } from "./paths.ts";

type Wish = NonNullable<SpawnOptions["sandbox"]>;

export interface PlanScene extends Pick<DoorOptions, "preference"> {
  readonly workingDirectory: string;
  /** Relative to the working directory, or absolute. */
  readonly cwd: string;
}

const mebibyte = 2 ** 20;

/** Commands may use the computer; what they could exhaust without leaving a trace is bounded. */
const commandLimits: SandboxPlan["limits"] = {
  dataBytes: Infinity,
  fileBytes: Infinity,
  scratchBytes: Math.min(1024 * mebibyte, Math.floor(totalmem() / 8)),
  processes: 2048,
  files: Infinity,
};

const helperLimits: SandboxPlan["limits"] = {
  dataBytes: 512 * mebibyte,
  fileBytes: 16 * mebibyte,
  scratchBytes: 0,
  processes: 1,
  files: 64,
};

/** Libraries that programs of the system need. */
const libraries = ["/usr/lib", "/usr/lib64", "/lib", "/lib64", "/etc/ld.so.cache"];

const existing = (files: readonly string[]): readonly string[] => files.filter((file) => existsSync(file));

const strings = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];

/** Each folder once, without those that lie in another. */
function outermost(folders: readonly string[]): readonly string[] {
  const real = [...new Set(folders.map((folder) => realPath(folder)))];
  return real.filter((one) => !real.some((other) => other !== one && isBelow(other, one)));
}

function networkOf({ network }: Wish, preference: PlanScene["preference"]): SandboxPlan["network"] {
  const wanted = network ?? preference("tools.terminal.network") ?? "public";
  if (wanted === "none" || wanted === false) return "none";
  return { hosts: wanted === "public" || wanted === true ? "public" : strings(wanted) };
}

/** For a command of the person's computer: the system to read, the working directory to work in. */
export function commandPlan(wish: Wish, scene: PlanScene): SandboxPlan {
  const { preference, workingDirectory } = scene;
  const write = outermost(wish.write ?? [workingDirectory]);
  const keep = wish.keep ?? [];
  return {
    kind: "program",
    read: existing(wish.read ?? []),
    write,
    keep: existing(keep.filter((one) => path.isAbsolute(one))),
    keepNames: wish.keep === undefined ? "protected" : keep.filter((one) => !path.isAbsolute(one)),
    network: networkOf(wish, preference),
    limits: commandLimits,
    workingDirectory: realPath(path.resolve(workingDirectory, scene.cwd)),
  };
}

/** For a program that only calculates: libraries to read, nothing to write. */
export const helperPlan = ({ read = [] }: Wish): SandboxPlan => ({
  kind: "plugin",
  read: existing([...libraries, ...read]),
  write: [],
  keep: [],
  network: "none",
  limits: helperLimits,
});
