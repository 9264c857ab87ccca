import { AppError, type Caller } from "@pergola/sdk";
import type { StoredApproval } from "@pergola/sdk/host";

/** No tool and no model answers, and no token that is not meant to. */
export function checkMayAnswer({ kind }: StoredApproval, caller: Caller | undefined): void {
  const scope = kind === "approval" ? "approve" : "chat";
  if (caller === undefined || caller.scopes.includes(scope)) return;
  const message = `This token does not allow that: it lacks the scope "${scope}". Use one that has it.`;
  throw new AppError({ code: "insufficient_scope", message, details: { scope } });
}
