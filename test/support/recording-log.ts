import type { Log } from "@pergola/sdk";

export interface Line {
  readonly level: keyof Log;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** A log that keeps its lines. */
export function recordingLog(): Log & { readonly lines: readonly Line[] } {
  const lines: Line[] = [];
  const at = (level: keyof Log) => (fields: Line["fields"], message: string) =>
    void lines.push({ level, fields, message });
  return { lines, debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
