import { statSync } from "node:fs";
import type { SandboxMount, SandboxPlan } from "@pergola/sdk/host";
import { foldersAbove } from "../folders-above.ts";
import type { Bubblewrap } from "./find-bubblewrap.ts";

/** What programs need of the system; what does not exist is left out. */
const system = [
  ...["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/nix", "/run/current-system"],
  ...["/etc/alternatives", "/etc/ssl", "/etc/ca-certificates", "/etc/pki"],
  ...["/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime", "/etc/mime.types"],
  ...["/etc/passwd", "/etc/group", "/etc/hosts", "/etc/nsswitch.conf", "/etc/services"],
];

const each = (option: string, paths: readonly string[]): readonly string[] =>
  paths.flatMap((file) => [option, file, file]);

const mountOf = (mount: string | SandboxMount): SandboxMount =>
  typeof mount === "string" ? { from: mount, to: mount } : mount;

function scratch(bytes: number, place: string): readonly string[] {
  if (bytes === 0) return [];
  if (!Number.isFinite(bytes)) return ["--tmpfs", place];
  return ["--size", String(bytes), "--tmpfs", place];
}

/**
 * Own namespaces of every kind, no capabilities, and an end with the thread that started it. It stays in the
 * process group it was started in, which ends it also in the moment before bubblewrap itself could.
 */
const walls = ({ forbidsNamespaces }: Bubblewrap): readonly string[] => [
  ...["--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"],
  ...["--unshare-cgroup-try", "--cap-drop", "ALL", "--die-with-parent"],
  ...(forbidsNamespaces ? ["--disable-userns"] : []),
];

/** Nothing of the system and nothing of the person; without `/proc`, which shows much of the kernel. */
const forPlugin = ({ limits: { scratchBytes } }: SandboxPlan, accounts: string): readonly string[] => [
  ...["--uid", "65534", "--gid", "65534", "--hostname", "plugin", "--clearenv"],
  ...["--setenv", "TZ", process.env["TZ"] ?? "UTC", "--setenv", "HOME", "/tmp"],
  ...["--setenv", "UV_THREADPOOL_SIZE", "1", "--ro-bind", accounts, "/etc/passwd"],
  ...["--dev", "/dev", "--remount-ro", "/dev"],
  ...scratch(scratchBytes, "/tmp"),
];

/**
 * The system read-only and an empty home. For root the kernel's settings in `/proc/sys` would be writable
 * without a mount of their own.
 */
const forProgram = ({ limits: { scratchBytes } }: SandboxPlan): readonly string[] => [
  ...each("--ro-bind-try", system),
  ...["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys"],
  ...["--dev", "/dev", ...scratch(scratchBytes, "/dev/shm"), "--remount-ro", "/dev"],
  ...scratch(scratchBytes, "/tmp"),
  ...["--dir", "/tmp/home", "--setenv", "HOME", "/tmp/home", "--unsetenv", "TMPDIR"],
];

const hidden = (file: string): readonly string[] =>
  statSync(file).isDirectory() ? ["--tmpfs", file, "--remount-ro", file] : ["--ro-bind", "/dev/null", file];

/**
 * The arguments of bubblewrap for a plan, up to the program that it runs. `accounts` is the file that plugins
 * see as the system's list of accounts.
 */
export function bubblewrapArguments(
  plan: SandboxPlan,
  bubblewrap: Bubblewrap,
  accounts: string,
): readonly string[] {
  const { kind, read, write, keep, hide = [], workingDirectory = "/" } = plan;
  // While they are mounts of their own, none of them can be moved away.
  const fixed = new Set(keep.flatMap((file) => foldersAbove(file, write)));
  return [
    ...walls(bubblewrap),
    ...(kind === "plugin" ? forPlugin(plan, accounts) : forProgram(plan)),
    ...read.map(mountOf).flatMap(({ from, to }) => ["--ro-bind", from, to]),
    ...each("--bind", write),
    ...each("--bind", [...fixed]),
    ...each("--ro-bind", keep),
    ...hide.flatMap(hidden),
    ...["--remount-ro", "/", "--chdir", workingDirectory],
  ];
}
