import type { Log } from "../contract/log.ts";

type Level = keyof Log;
type Fields = Readonly<Record<string, unknown>>;

type Write = (level: Level, fields: Fields, message: string) => void;

/** A log from one function for all levels. A plugin may also log a text alone. */
export function logOf(write: Write): Log {
  const at =
    (level: Level) =>
    (fields: Fields | string, message = ""): void => {
      if (typeof fields === "object") write(level, fields, message);
      else write(level, {}, [String(fields), message].filter(Boolean).join(" "));
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** The log with fields of its own on every line, which no line can replace. */
export const withFields = (log: Log, own: Fields): Log =>
  logOf((level, fields, message) => log[level]({ ...fields, ...own }, message));
