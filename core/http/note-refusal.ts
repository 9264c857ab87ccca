import type { IncomingMessage } from "node:http";
import { AppError } from "@pergola/sdk";
import type { Visit } from "./access.ts";
import type { DoorAccess } from "./options.ts";

/** What the door and the scopes refuse; other failures with these statuses are not about who calls. */
const codes = new Set([
  "invalid_api_key",
  "forbidden_host",
  "forbidden_origin",
  "remote_not_allowed",
  "insufficient_scope",
  "rate_limited",
]);

/** Has a refused request written down. */
export function noteRefusal(
  error: unknown,
  { method = "", url = "" }: IncomingMessage,
  { peer, caller, requestId }: Visit & { readonly requestId: string },
  access: DoorAccess | undefined,
): void {
  if (access === undefined || peer === undefined || !AppError.is(error) || !codes.has(error.code)) return;
  const [path = ""] = url.split("?", 1);
  const { place, address } = peer;
  const refusal = { place, address, method, path, code: error.code, requestId };
  access.noteRefusal(caller === undefined ? refusal : { ...refusal, caller });
}
