import type { Json, JsonObject } from "@pergola/sdk";
import { startTestHost, temporaryFolder, type TestHost, type TestHostOptions } from "@pergola/sdk/testing";
import { chosenStorage } from "./chosen-storage.ts";
import { officialPlugins } from "./host.ts";
import { writePlugin } from "./plugins/write-plugin.ts";

export interface Changed {
  readonly success?: true;
  readonly preferences: Readonly<Record<string, Json>>;
  readonly restartRequired: readonly string[];
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly param?: string;
    readonly details?: { readonly faults: readonly { readonly param: string; readonly code: string }[] };
  };
}

export interface Described {
  readonly key: string;
  readonly type: string | readonly string[];
  readonly default: Json;
  readonly range: Readonly<Record<string, Json>> | null;
  readonly secret: boolean;
  readonly protected: boolean;
  readonly restart: boolean;
  readonly description: string;
  readonly source: string;
  readonly refusal: string | null;
}

/** Lets everybody in: those who come by a proxy from elsewhere as a guest, the others as the person. */
export const doorkeeper = {
  use: writePlugin(temporaryFolder(), {
    id: "policy-doorkeeper",
    kind: "policy",
    provides: { hooks: ["authenticate"] },
    code: `export default {
      register: (host) => host.tap("authenticate", ({ headers }) => ({ kind: "token", name: "guest", root: null, remote: "x-forwarded-for" in headers, id: "guest", scopes: ["read", "chat", "tools", "approve", "admin"] })),
    };`,
  }),
  isolation: "trusted",
};

/** The headers of a caller on another computer. */
export const fromElsewhere = { "x-forwarded-for": "203.0.113.9" };

/** A host whose settings file says nothing of preferences. */
export async function openPlain(options: TestHostOptions = {}): Promise<TestHost> {
  const { storage = { type: "memory" }, ...settings } = options.settings ?? {};
  const chosen = await chosenStorage(storage as JsonObject, options.dataDirectory);
  return startTestHost({
    plugins: officialPlugins(),
    ...options,
    settings: { storage: chosen, ...settings },
  });
}

export const patch = (host: TestHost, body: unknown) => host.json<Changed>("PATCH", "/api/preferences", body);

export const shown = async (host: TestHost) =>
  (
    await host.json<{
      readonly preferences: Readonly<Record<string, Json>>;
      readonly [field: string]: unknown;
    }>("GET", "/api/preferences")
  ).body;

export const described = async (host: TestHost): Promise<readonly Described[]> =>
  (await host.json<{ readonly preferences: readonly Described[] }>("GET", "/api/preferences/schema")).body
    .preferences;
