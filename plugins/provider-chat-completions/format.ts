import type { JsonObject, ModelCall, ModelEvent } from "@pergola/sdk";
import type { Preset } from "./preset.ts";

export type Fields = Readonly<Record<string, unknown>>;

export interface BuiltRequest {
  /** JSON text. */
  readonly body: string;
  /** What the vendor cannot be asked for. */
  readonly warnings: readonly string[];
}

/** What was said in an answer that is none: an error object, and the status it stands for where it does not tell. */
export interface SaidFailure {
  readonly said: unknown;
  readonly status?: number;
}

/** Turns the parts of one answer into events; neighbouring pieces of text become one until they are taken. */
export interface FormatReader {
  /** The answer is whole, even if nothing more comes. */
  readonly finished: boolean;
  /** Nothing more is to come, not even usage. */
  readonly complete: boolean;
  readonly failure: SaidFailure | undefined;
  read(part: Fields): void;
  warn(text: string): void;
  /** What was read since the last time. */
  take(): readonly ModelEvent[];
  /** Usage and end. */
  end(): readonly ModelEvent[];
  /** A whole answer, as a server sends it that does not stream, as a part; undefined for what is no answer. */
  partOf(document: Fields): Fields | undefined;
}

/** How a model is asked, and how its answer is read. */
export interface Format {
  readonly path: string;
  /** `extra` holds the provider's own settings `body` and `leave_out`. */
  build(call: ModelCall, preset: Preset, extra: JsonObject): BuiltRequest;
  read(preset: Preset): FormatReader;
}
