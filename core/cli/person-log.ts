import type { Log } from "@pergola/sdk";
import { Redactor } from "@pergola/sdk/host";
import { createLog } from "../log.ts";
import { visible } from "./visible.ts";

const nothing = (): void => undefined;

/** For commands that show what they find themselves. */
export const silentLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/**
 * For a service that works for one person at a terminal: what is wrong with a plugin is one plain line, other
 * errors are whole.
 */
export function personLog(secrets: Iterable<string>): Log {
  const redactor = new Redactor();
  redactor.add(secrets);
  const log = createLog(() => "error", redactor.redact);
  return {
    ...log,
    error: (fields, message) => {
      if ("step" in fields) process.stderr.write(`${visible(redactor.redact(message))}\n`);
      else log.error(fields, message);
    },
  };
}
