import { closeSync, fstatSync, readdirSync, readFileSync } from "node:fs";

const closesOnExec = 0o2_000_000;

/** What whoever started this process has given it on purpose: a channel to Node, sockets to listen on. */
function givenOnPurpose({ NODE_CHANNEL_FD, LISTEN_FDS }: NodeJS.ProcessEnv): ReadonlySet<number> {
  const sockets = Array.from({ length: Number(LISTEN_FDS ?? 0) }, (_, index) => 3 + index);
  return new Set([0, 1, 2, Number(NODE_CHANNEL_FD ?? 0), ...sockets]);
}

/** Whether a descriptor would be handed on to every program that this process starts. */
function isHandedOn(descriptor: number): boolean {
  try {
    const [, flags = "0"] =
      /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8")) ?? [];
    return (Number.parseInt(flags, 8) & closesOnExec) === 0;
  } catch {
    return false;
  }
}

/**
 * Closes what this process was started with by accident. A program in a sandbox would inherit it, and through
 * an open folder it would reach everything outside. Linux only: other systems do not list descriptors.
 */
export function closeDescriptors(environment: NodeJS.ProcessEnv = process.env): void {
  if (process.platform !== "linux") return;
  const spared = givenOnPurpose(environment);
  for (const descriptor of readdirSync("/proc/self/fdinfo").map(Number)) {
    if (spared.has(descriptor) || !isHandedOn(descriptor)) continue;
    try {
      fstatSync(descriptor);
      closeSync(descriptor);
    } catch {
      continue;
    }
  }
}
