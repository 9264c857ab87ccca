import type { Log } from "@pergola/sdk";
import { Redactor } from "@pergola/sdk/host";
import { createLog } from "../log.ts";
import { visible } from "./visible.ts";

const nothing = (): void => undefined;

/** For commands that show what they find themselves. */
export const silentLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** What is wrong with a plugin says its message alone. */
function sentence(fields: Readonly<Record<string, unknown>>, message: string): string {
  const { error } = fields;
  if ("step" in fields || !(error instanceof Error) || message.includes(error.message)) return message;
  return `${message}: ${error.message}`.replaceAll(/\s+/g, " ");
}

/**
 * For a service that works for one person at a terminal: an error is one plain line. It is whole, with its
 * stack, where PERGOLA_LOG_LEVEL asks for everything.
 */
export function personLog(secrets: Iterable<string>): Log {
  const redactor = new Redactor();
  redactor.add(secrets);
  const log = createLog(() => "error", redactor.redact);
  return {
    ...log,
    error: (fields, message) => {
      if (process.env["PERGOLA_LOG_LEVEL"] === "debug") return log.error(fields, message);
      process.stderr.write(`${visible(redactor.redact(sentence(fields, message)))}\n`);
    },
  };
}
