import type { Json } from "@pergola/sdk";
import { startTestHost, type TestHost, type TestHostOptions } from "@pergola/sdk/testing";
import { officialPlugins } from "./host.ts";

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
}

/** A host whose settings file says nothing of preferences. */
export const openPlain = (options: TestHostOptions = {}): Promise<TestHost> =>
  startTestHost({ plugins: officialPlugins(), ...options, settings: { storage: { type: "memory" }, ...options.settings } });

export const patch = (host: TestHost, body: unknown) => host.json<Changed>("PATCH", "/api/preferences", body);

export const shown = async (host: TestHost) =>
  (await host.json<{ readonly preferences: Readonly<Record<string, Json>>; readonly [field: string]: unknown }>("GET", "/api/preferences"))
    .body;

export const described = async (host: TestHost): Promise<readonly Described[]> =>
  (await host.json<{ readonly preferences: readonly Described[] }>("GET", "/api/preferences/schema")).body.preferences;
