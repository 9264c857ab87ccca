import type { AnswerEvents, JsonObject, ModelCall, PartReader } from "@pergola/sdk";
import type { Preset } from "./preset.ts";

export interface BuiltRequest {
  /** JSON. */
  readonly body: string | Uint8Array;
  /** What the vendor cannot be asked for. */
  readonly warnings: readonly string[];
}

/** How a model is asked, and how its answer is read. */
export interface Format {
  readonly path: string;
  /** `extra` holds the provider's own settings `body` and `leave_out`. */
  build(call: ModelCall, preset: Preset, extra: JsonObject): BuiltRequest;
  reader(events: AnswerEvents, preset: Preset): PartReader;
}
