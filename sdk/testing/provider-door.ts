import { tmpdir } from "node:os";
import type { JsonObject, Log, ProviderDoor, ProviderSettings, ProviderVault } from "@pergola/sdk";
import { refusable } from "./closed-door.ts";
import { directFetch } from "./direct-fetch.ts";
import { timed } from "./timed-door.ts";

const ignore = (): void => undefined;
const silent: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** A vault in memory. */
export function memoryVault(kept?: JsonObject): ProviderVault {
  let value = kept;
  return { get: async () => value, put: async (next) => void (value = next) };
}

/**
 * What the host hands a provider, for tests: requests go straight out, the log is silent, the clock stands
 * still.
 */
export const providerDoor = ({
  fetch = directFetch,
  ...overrides
}: Partial<ProviderDoor> = {}): ProviderDoor => ({
  fetch: refusable(timed(fetch)),
  log: silent,
  clock: { now: () => 0 },
  dataDirectory: tmpdir(),
  preference: () => undefined,
  vault: memoryVault(),
  ...overrides,
});

/** Settings of one provider as the host would fill them in. */
export const providerSettings = (overrides: Partial<ProviderSettings> = {}): ProviderSettings => ({
  id: "test",
  type: "custom",
  name: "Test provider",
  prefix: "test",
  enabled: true,
  models: [],
  headers: {},
  timeoutSeconds: 300,
  idleTimeoutSeconds: 120,
  extra: {},
  ...overrides,
});
