import { homedir } from "node:os";
import { isBelow, type CheckedPath, type DoorOptions, type Doors } from "@pergola/sdk";
import { createFetch } from "./fetch.ts";
import { createFiles } from "./files.ts";
import { resolvePath } from "./paths.ts";
import { createProviderFetch } from "./provider-fetch.ts";
import { createSpawn } from "./spawn.ts";

/** Whether a call may touch a path outside its working directory: only what it named, and what lies below that. */
const mayReach = (paths: readonly CheckedPath[], reach: string) => (real: string) =>
  reach === "any" && paths.some((path) => isBelow(path.real, real));

/** This computer's files, network and processes. */
export function openDoors({ dataDirectory, clock, preference }: DoorOptions): Doors {
  const opened = new Set<{ readonly close: () => Promise<void> }>();
  const backupDays = (): number => Number(preference("tools.file.backup_days") ?? 7);
  return {
    resolve: (path, workingDirectory) => resolvePath(path, { workingDirectory, dataDirectory, home: homedir() }),
    files: ({ workingDirectory, paths, reach }) =>
      createFiles({ workingDirectory, dataDirectory, clock, backupDays, mayReach: mayReach(paths, reach) }),
    fetch: ({ signal, hosts }) =>
      createFetch({ signal, hosts, privateHosts: () => (preference("tools.web.allowed_private_hosts") ?? []) as readonly string[] }),
    spawn: ({ workingDirectory, signal, programs }) => createSpawn({ workingDirectory, signal, programs }),
    providerFetch: ({ baseUrl = "http://localhost", timeoutSeconds, idleTimeoutSeconds }) => {
      const fetch = createProviderFetch({ baseUrl, timeoutSeconds, idleTimeoutSeconds });
      opened.add(fetch);
      return fetch;
    },
    close: async () => void (await Promise.allSettled([...opened].map((one) => one.close()))),
  };
}
