import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { inheritedEnvironment, nodeRuntime } from "@pergola/kit-worker";
import { PluginError } from "@pergola/sdk";
import type { CompleteManifest, Sandbox, SandboxState } from "@pergola/sdk/host";
import { megabyte, processLimits } from "./limits.ts";
import { megabytesOf, nodeFlags, programFolder, programIn } from "./node-line.ts";
import { innerPlaces, realPlaces } from "./places.ts";
import { readableFolders } from "./readable.ts";
import { watchProcess } from "./watch-process.ts";

/** What the settings say of processes without walls. */
export interface Walls {
  readonly sandbox: Sandbox;
  /** The preference in force, undefined where no plugin declares it. */
  readonly preference: (key: string) => unknown;
}

/** A process that was started for a plugin. */
export interface StartedProcess {
  readonly child: ChildProcess;
  /** The plugin's entry, as the process calls it. */
  readonly entry: string;
  /** Gives back what was opened for it. */
  readonly release: () => Promise<void>;
}

/** Memory that a watched process may hold: what it is allowed, and what Node itself takes. */
const ownMegabytes = 128;

/**
 * Whether there are walls for a plugin. Rejects with PluginError where there are none and the settings want
 * them.
 */
export async function wallsFor(id: string, { sandbox, preference }: Walls): Promise<SandboxState> {
  const state = await sandbox.state("plugin");
  if (state.works || preference("plugins.require_sandbox") === false) return state;
  const remedy =
    `${state.remedy} Or set plugins.require_sandbox to false, and it runs without a sandbox: then install ` +
    "only plugins that you trust with everything you may do.";
  throw new PluginError(id, "import", `there is no sandbox to run it in: ${state.reason}`, { remedy });
}

/**
 * Starts the process of a plugin: within walls, where it sees nothing but itself and what it needs to run, or
 * without them, where the settings allow that.
 */
export async function startIsolated(found: CompleteManifest, walls: Walls): Promise<StartedProcess> {
  const state = await wallsFor(found.id, walls);
  if (!state.works) return startWithout(found);
  return startWithin(found, walls.sandbox, state.inPlace === true);
}

async function startWithin(
  found: CompleteManifest,
  sandbox: Sandbox,
  inPlace: boolean,
): Promise<StartedProcess> {
  const places = (inPlace ? realPlaces : innerPlaces)(found.entry, programFolder(found.id));
  const node = await nodeRuntime();
  const nodeInside = inPlace ? node.program : "/node";
  // The scratch of such a wall has a name that only the wall knows.
  const writable = inPlace ? "*" : "/tmp";
  const { memory, scratch } = megabytesOf(found);
  const { program, args, env, release } = await sandbox.wrap(
    {
      kind: "plugin",
      read: [
        { from: node.program, to: nodeInside },
        ...node.libraries.filter((file) => existsSync(file)),
        ...places.mounts,
      ],
      write: [],
      keep: [],
      network: "none",
      limits: {
        dataBytes: node.dataBytes + memory * megabyte,
        fileBytes: scratch * megabyte,
        scratchBytes: scratch * megabyte,
        processes: 1,
        files: processLimits.files,
      },
    },
    nodeInside,
    [...nodeFlags(found, { read: ["*"], write: [writable] }), programIn(places.program)],
  );
  const child = spawn(program, args, {
    env,
    cwd: "/",
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  if (inPlace) watch(child, found);
  return { child, entry: places.entry, release };
}

/** Without walls a process is watched from here. */
async function startWithout(found: CompleteManifest): Promise<StartedProcess> {
  const { entry, id } = found;
  const program = programIn(programFolder(id));
  const flags = nodeFlags(found, { read: readableFolders(entry, program), write: [] });
  const child = spawn(process.execPath, [...flags, program], {
    env: inheritedEnvironment(),
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  watch(child, found);
  return { child, entry, release: async () => undefined };
}

/** For what nothing else limits: its memory, and that it does not outlive this process. */
function watch(child: ChildProcess, found: CompleteManifest): void {
  const most = (megabytesOf(found).memory + ownMegabytes) * megabyte;
  watchProcess(child, most, () => endProcess(child));
}

/** Ends a process at once, with all that it started. */
export function endProcess({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    return;
  }
}
