import { isObject, type Log } from "@pergola/sdk";
import { styled, textOfValue, visible } from "./visible.ts";

type Level = keyof Log;

/** A line of a service's log. */
export interface LogLine {
  readonly level: Level;
  /** ISO 8601 in UTC. */
  readonly time: string;
  /** Empty for the host itself. */
  readonly plugin: string;
  readonly message: string;
  /** What else it says. */
  readonly fields: Readonly<Record<string, unknown>>;
}

const levels: readonly Level[] = ["debug", "info", "warn", "error"];
const colours: Partial<Record<Level, "red" | "yellow" | "dim">> = {
  error: "red",
  warn: "yellow",
  debug: "dim",
};

/** Reads one line of JSON; undefined for anything else, such as a line that was cut off. */
export function readLogLine(text: string): LogLine | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return undefined;
    const { level, time = "", plugin = "", msg = "", ...fields } = value as Record<string, unknown>;
    if (!levels.includes(level as Level)) return undefined;
    return {
      level: level as Level,
      time: textOfValue(time),
      plugin: textOfValue(plugin),
      message: textOfValue(msg),
      fields,
    };
  } catch {
    return undefined;
  }
}

/** Whether a line is of this level or above. */
export const isAtLeast = (line: LogLine, level: Level): boolean =>
  levels.indexOf(line.level) >= levels.indexOf(level);

/** An error as its message alone; its stack stands in the line itself. */
function valueOf(value: unknown): string {
  if (isObject(value) && typeof value["message"] === "string") return value["message"];
  return textOfValue(value ?? null);
}

/** The lines that a plugin has written to its output; undefined for a line of the log itself. */
function writtenIn({ fields: { output } }: LogLine): readonly string[] | undefined {
  return output === undefined ? undefined : textOfValue(output).trimEnd().split("\n");
}

/** What a line says, for a person: `serving url=http://127.0.0.1:8080 plugins=61`, or what was written. */
export function linesOf({ level, ...line }: LogLine): readonly string[] {
  const rest = Object.entries(line.fields).map(([name, value]) => `${name}=${valueOf(value)}`);
  const lines = writtenIn({ level, ...line }) ?? [[line.message, ...rest].join(" ")];
  const colour = colours[level];
  const shown = lines.map(visible);
  return colour === undefined ? shown : shown.map((text) => styled(colour, text));
}
