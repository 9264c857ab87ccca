import type { Clock, Log } from "@pergola/sdk";
import type { Preferences } from "../settings/preferences.ts";
import type { deadlines } from "./deadlines.ts";
import type { Discovery } from "./discover.ts";
import type { ManifestIndex } from "./manifest-index.ts";
import type { Supply } from "./supervisors.ts";

/** What the life cycle of plugins needs. */
export interface LifecycleOptions {
  readonly discovery: Discovery;
  readonly preferences: Preferences;
  readonly log: Log;
  readonly clock: Clock;
  readonly dataDirectory: string;
  readonly supply: Supply;
  /** Where it is noted what plugins bring whose code can wait. */
  readonly index?: ManifestIndex | undefined;
  /** The text without secrets. */
  readonly redact: (text: string) => string;
  readonly deadlines?: Partial<typeof deadlines>;
}
