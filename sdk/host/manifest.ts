import type { Permissions } from "../contract/permissions.ts";
import type { Properties } from "../util/schema.ts";

export type { Permissions };

/** What a plugin brings; its code must bring exactly this. */
export interface Provides {
  /** Families and their advertised operations. */
  readonly tools?: Readonly<Record<string, readonly string[]>>;
  readonly providers?: readonly string[];
  readonly storages?: readonly string[];
  /** Each is a module that the package exports as `./commands/<name>`. */
  readonly commands?: readonly string[];
  /** As in `GET /api/models`. */
  readonly endpoints?: readonly string[];
  readonly hooks?: readonly string[];
  /** Parts of the host itself, such as `doors`. */
  readonly parts?: readonly string[];
}

/** A plugin's manifest, as plugin.json holds it (manifest.schema.json). */
export interface Manifest {
  readonly id: string;
  readonly kind:
    "tool" | "provider" | "storage" | "endpoint" | "policy" | "bridge" | "service" | "feature" | "bundle";
  /** Range of generations of the SDK's contracts. */
  readonly sdk: string;
  readonly provides?: Provides;
  readonly permissions?: Permissions;
  /** Its preferences, by their full key. */
  readonly settings?: Properties;
  readonly after?: readonly string[];
  readonly enabledByDefault?: boolean;
  readonly includes?: readonly string[];
}

/** A plugin's manifest with nothing left out, and what its package adds. */
export interface CompleteManifest extends Required<Manifest> {
  readonly package: string;
  readonly version: string;
  /** What its package says of it. */
  readonly description: string;
  /** The file to import. */
  readonly entry: string;
}
