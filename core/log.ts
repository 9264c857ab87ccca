import { createRequire } from "node:module";
import type * as Pino from "pino";
import type { Log } from "@pergola/sdk";
import { logOf } from "@pergola/sdk/host";

type Level = keyof Log;

const levels: Readonly<Record<Level, number>> = {
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
};

const load = createRequire(import.meta.url);

/** Controls, and what turns the direction of writing: they could rewrite a terminal or a reviewer's view. */
const invisible = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/**
 * JSON lines through pino, each scrubbed as a whole; pino is loaded with the first line. `write` gets
 * finished lines; default: stderr.
 */
export function createLog(
  level: () => Level,
  redact: (text: string) => string,
  write = (line: string): void => void process.stderr.write(line),
): Log {
  let logger: Log | undefined;
  const visible = (line: string): string =>
    redact(line).replace(invisible, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const open = (): Log => {
    const { pino } = load("pino/pino.js") as typeof Pino;
    const serializers = { error: pino.stdSerializers.errWithCause };
    return pino(
      {
        level: "debug",
        base: null,
        timestamp: pino.stdTimeFunctions.isoTime,
        serializers,
        formatters: { level: (label) => ({ level: label }) },
      },
      { write: (line) => write(visible(line)) },
    );
  };
  return logOf((own, fields, message) => {
    if (levels[own] >= levels[level()]) (logger ??= open())[own](fields, message);
  });
}
