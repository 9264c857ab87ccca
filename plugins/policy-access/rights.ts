import { AppError, isBelow, type Caller } from "@pergola/sdk";
import type { Scope, TokenRecord } from "@pergola/sdk/host";

/** What a token gives to whoever has it. */
export type Rights = Pick<TokenRecord, "scopes" | "root">;

const refuse = (message: string, scope: Scope): AppError =>
  new AppError({ code: "insufficient_scope", message, details: { scope } });

/** Throws `insufficient_scope` where the wanted rights are wider than those that there are. */
export function checkNotWider(wanted: Rights, { scopes, root }: Rights): void {
  const missing = wanted.scopes.find((scope) => !scopes.includes(scope));
  if (missing !== undefined)
    throw refuse(`Only who has the scope "${missing}" can give it; ask the owner for such a token.`, missing);
  if (root === null || (wanted.root !== null && isBelow(root, wanted.root))) return;
  throw refuse(`The root must lie below ${root}; ask the owner for a token with another.`, "admin");
}

/** The caller that a token makes of whoever has it. */
export const callerOf = (
  { id, name, scopes, root }: Rights & Pick<TokenRecord, "id" | "name">,
  kind: "token" | "session",
  isLocal: boolean,
): Caller => ({ kind, id, name, remote: !isLocal, scopes, root });
