import { AppError, type PluginStatus } from "@pergola/sdk";
import { findService } from "./find-service.ts";
import { Service, type CommonOptions } from "./service.ts";

/** A plugin as the running service tells it. */
export interface RunningPlugin {
  readonly id: string;
  readonly version: string;
  readonly state: "running" | "left_out" | "disabled";
  readonly digest: string | null;
}

/** The plugins of the service that runs on this data; undefined where none runs, or it does not tell. */
export async function runningPlugins(options: CommonOptions): Promise<readonly RunningPlugin[] | undefined> {
  try {
    const { found } = await findService({ ...options, secretsMayMiss: true });
    if (found?.note === undefined) return undefined;
    const service = new Service(options);
    await service.open();
    const { plugins } = await service.get<{ readonly plugins: readonly RunningPlugin[] }>("/api/plugins");
    return plugins;
  } catch (error) {
    if (AppError.is(error)) return undefined;
    throw error;
  }
}

const nextStart = "from the next start of the service";

/** What will be other than in the running service; null = nothing. */
export function pendingOf(
  { id, version, digest, state }: Pick<PluginStatus, "id" | "version" | "digest" | "state">,
  running: readonly RunningPlugin[],
): string | null {
  const now = running.find((one) => one.id === id);
  const runsNow = now?.state === "running";
  if (state !== "running") return runsNow ? `${state} ${nextStart}` : null;
  if (!runsNow) return nextStart;
  if (now.version === version && now.digest === digest) return null;
  return `${nextStart}; until then ${now.version} runs${now.version === version ? " as it was before" : ""}`;
}

/** Those that were taken out, and still run. */
export const removedOf = (
  plugins: readonly Pick<PluginStatus, "id">[],
  running: readonly RunningPlugin[],
): readonly RunningPlugin[] =>
  running.filter(({ id, state }) => state === "running" && plugins.every((plugin) => plugin.id !== id));
