import { defined, type Clock, type Files, type Json, type ToolContext } from "@pergola/sdk";
import type { Doors, HostPlugin, Permissions, Reach, Sandbox, SandboxHost } from "@pergola/sdk/host";
import { PlainFiles } from "./plain-files.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** The part of a call's context that reaches the outside. */
export type Door = Pick<ToolContext, "files" | "fetch" | "spawn" | "prepare">;

export interface DoorSetup {
  /** The service's own folder, which no file method reaches. Default: a new empty one. */
  readonly dataDirectory?: string;
  /** Paths outside the working directory that the call may reach. */
  readonly allowed?: readonly string[];
  /** What the operator named in the plugin's own settings. */
  readonly configured?: Partial<Reach["configured"]>;
  /** What the plugin's manifest permits. Default: any network, files and processes. */
  readonly permissions?: Pick<Permissions, "network" | "files" | "processes">;
}

const everything: Permissions = { network: "any", files: "any", processes: "any" };

interface DoorScene extends DoorSetup {
  readonly workingDirectory: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly preferences: Readonly<Record<string, Json>>;
}

/** Named by a value, so that the test kit needs the door only where it is installed. */
const machine: string = "@pergola/bridge-machine";
const launcher: string = "@pergola/service-sandbox";

interface DoorModule {
  readonly default?: HostPlugin;
}

const missing = async (): Promise<never> => {
  throw new Error(
    "Install the package @pergola/bridge-machine beside @pergola/sdk to test with fetch and spawn, or give your own in toolContext().",
  );
};

const absent = (error: unknown): DoorModule => {
  if ((error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND") return {};
  throw error;
};

/** The host's own sandbox; undefined where its package is not installed. */
async function openSandbox(host: SandboxHost): Promise<Sandbox | undefined> {
  const { default: walls } = (await import(launcher).catch(absent)) as DoorModule;
  return walls?.parts?.sandbox?.(host);
}

/**
 * The host's own door; where the package `@pergola/bridge-machine` is not installed, plain files and nothing
 * else.
 */
async function openDoor(scene: DoorScene): Promise<Door> {
  const {
    workingDirectory,
    clock,
    signal,
    preferences,
    allowed = [],
    configured = {},
    dataDirectory = temporaryFolder("pergola-data-"),
    permissions = everything,
  } = scene;
  const { default: bridge } = (await import(machine).catch(absent)) as DoorModule;
  const openDoors = bridge?.parts?.doors;
  if (openDoors === undefined)
    return {
      files: new PlainFiles(workingDirectory, [...allowed, ...(configured.folders ?? [])]),
      fetch: missing,
      spawn: missing,
      prepare: missing,
    };
  const preference = (key: string): unknown => preferences[key];
  const sandbox = await openSandbox({ dataDirectory, preference });
  const doors = openDoors({ dataDirectory, clock, preference, ...defined({ sandbox }) });
  const { folders = [], origins = [] } = configured;
  const paths = allowed.map((path) => doors.resolve(path, workingDirectory));
  const reach = { workingDirectory, signal, paths, configured: { folders, origins } };
  return withinPermissions(doors, reach, permissions);
}

/** What a plugin with these permissions may reach; what they do not name is nothing. */
const withinPermissions = (
  doors: Doors,
  reach: Reach,
  { network = [], files = "none", processes = [] }: Permissions,
): Door => ({
  files: doors.files({ ...reach, reach: files }),
  fetch: doors.fetch({ ...reach, hosts: network }),
  spawn: doors.spawn({ ...reach, programs: processes }),
  prepare: doors.prepare({ ...reach, programs: processes }),
});

/** A door that is opened when it is first used. */
export function hostDoor(scene: DoorScene): Door {
  let opened: Promise<Door> | undefined;
  const door = (): Promise<Door> => (opened ??= openDoor(scene));
  const files = async (): Promise<Files> => (await door()).files;
  return {
    files: {
      resolve: async (path) => (await files()).resolve(path),
      stat: async (path) => (await files()).stat(path),
      read: async (path, range) => (await files()).read(path, range),
      readText: async (path) => (await files()).readText(path),
      list: async (path) => (await files()).list(path),
      write: async (path, content, settings) => (await files()).write(path, content, settings),
      writeAll: async (changes) => (await files()).writeAll(changes),
      makeDirectory: async (path) => (await files()).makeDirectory(path),
      rename: async (from, to) => (await files()).rename(from, to),
      remove: async (path) => (await files()).remove(path),
    },
    fetch: async (url, init) => (await door()).fetch(url, init),
    spawn: async (program, args, settings) => (await door()).spawn(program, args, settings),
    prepare: async (program, args, settings) => (await door()).prepare(program, args, settings),
  };
}
