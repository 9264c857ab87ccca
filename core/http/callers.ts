import type { Caller, Route } from "@pergola/sdk";
import type { Scope } from "@pergola/sdk/host";
import { fault } from "../fault.ts";

const allScopes: readonly Scope[] = ["read", "chat", "tools", "approve", "admin"];

/** The person at this computer, who may do everything. */
export const ownerAt = (address: string): Caller => ({
  kind: "owner",
  id: address,
  name: "owner",
  remote: false,
  scopes: allScopes,
  root: null,
});

/** A caller without a credential, for whom open routes are. */
export const anyoneAt = (address: string, remote: boolean): Caller => ({
  kind: "anyone",
  id: address,
  name: address,
  remote,
  scopes: [],
  root: null,
});

/** Throws `insufficient_scope` for a caller whose token does not allow what is asked for. */
export function requireScope({ scopes }: Caller, scope: Scope): void {
  if (scopes.includes(scope)) return;
  const message = `This token does not allow that: it lacks the scope "${scope}". Use one that has it.`;
  throw fault("insufficient_scope", message, { details: { scope } });
}

const ownerOnly = "Only the owner, at the service's own computer, may do this.";
const remoteAdmin =
  "This is refused from other computers. Do it on the service's own computer, or set " +
  "server.remote_admin there.";

/**
 * Throws AppError for a caller that may not use a route. `isRemoteAdmin`: what `server.remote_admin` says.
 */
export function checkScope(
  caller: Caller,
  { scope, protected: isProtected = false }: Pick<Route, "scope" | "protected">,
  isRemoteAdmin: boolean,
): void {
  if (scope === "open") return;
  if (scope !== "owner") requireScope(caller, scope);
  else if (caller.kind !== "owner") throw fault("remote_not_allowed", ownerOnly);
  if (isProtected && caller.remote && !isRemoteAdmin) throw fault("remote_not_allowed", remoteAdmin);
}
