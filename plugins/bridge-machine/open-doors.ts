import { homedir } from "node:os";
import { defined, isBelow, type CheckedPath } from "@pergola/sdk";
import type { DoorOptions, Doors } from "@pergola/sdk/host";
import { createFetch } from "./fetch.ts";
import { createFiles } from "./files.ts";
import { realPath, resolvePath } from "./paths.ts";
import { createPrepare } from "./prepare.ts";
import { createProviderFetch } from "./provider-fetch.ts";
import { relay } from "./relay.ts";
import { createSpawn, inheritedNames } from "./spawn.ts";
import { createStream } from "./stream.ts";

/**
 * Whether a call may touch a path outside its working directory: only what it named, what the settings name,
 * and what lies below that.
 */
const mayReach =
  (paths: readonly CheckedPath[], folders: readonly string[], reach: string) => (real: string) =>
    reach === "any" &&
    (paths.some((path) => isBelow(path.real, real)) ||
      folders.some((folder) => isBelow(realPath(folder), real)));

/** This computer's files, network and processes. */
export function openDoors({ dataDirectory, clock, preference, sandbox, ownPorts }: DoorOptions): Doors {
  const programDoor = { preference, ...defined({ sandbox }) };
  const opened = new Set<{ readonly close: () => Promise<void> }>();
  const privateHosts = (): readonly string[] =>
    (preference("tools.web.allowed_private_hosts") ?? []) as readonly string[];
  const backupDays = (): number => Number(preference("tools.file.backup_days") ?? 7);
  return {
    resolve: (path, workingDirectory) =>
      resolvePath(path, { workingDirectory, dataDirectory, home: homedir() }),
    files: ({ workingDirectory, paths, configured: { folders }, reach }) =>
      createFiles({
        workingDirectory,
        dataDirectory,
        clock,
        backupDays,
        isShut: reach === "none",
        mayReach: mayReach(paths, folders, reach),
      }),
    fetch: ({ signal, hosts, configured: { origins } }) =>
      createFetch({ signal, hosts, origins, privateHosts, ...defined({ ownPorts }) }),
    stream: ({ hosts, configured: { origins } }) =>
      createStream({ hosts, origins, privateHosts, ...defined({ ownPorts }) }),
    relay,
    variables: inheritedNames,
    spawn: (of) => createSpawn({ ...programDoor, ...of }),
    prepare: (of) => createPrepare({ ...programDoor, ...of }),
    providerFetch: ({ baseUrl = "http://localhost", timeoutSeconds, idleTimeoutSeconds }, origins = []) => {
      const fetch = createProviderFetch({ baseUrl, origins, timeoutSeconds, idleTimeoutSeconds });
      opened.add(fetch);
      return fetch;
    },
    close: async () => void (await Promise.allSettled([...opened].map((one) => one.close()))),
  };
}
