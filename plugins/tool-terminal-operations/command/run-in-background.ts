import type { ToolContext } from "@pergola/sdk";
import { startPiped } from "../process/start-piped.ts";
import { sessions } from "../sessions/sessions.ts";
import type { Session } from "../sessions/session.ts";
import { settingsOf } from "../settings.ts";
import { backgroundLine } from "./command-line.ts";
import type { Place } from "./place.ts";
import { startSandboxed } from "./start-sandboxed.ts";

/**
 * Starts a command that lives on after the call, without input. Throws ToolError when it could not be
 * started.
 */
export function runInBackground(
  context: ToolContext,
  place: Place,
  command: string,
  name: string,
): Promise<Session> {
  const line = backgroundLine(settingsOf(context), command);
  return sessions.open(context, { name, folder: place.folder, command }, (launch) =>
    startSandboxed(context, { ...line, ...launch }, place, startPiped),
  );
}
