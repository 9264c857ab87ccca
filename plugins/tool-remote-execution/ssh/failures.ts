import { ToolError } from "@pergola/sdk";
import type { KeyVerdict } from "./known-hosts.ts";
import type { Target } from "./target.ts";

interface SshFault extends Error {
  readonly code?: string | number;
  readonly level?: string;
}

const retry = "Check the address and the network; a retry may help.";

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens on that port",
  EHOSTUNREACH: "there is no way to it",
  ENETUNREACH: "there is no way to it",
  ENOTFOUND: "there is no such name",
  EAI_AGAIN: "its name could not be looked up",
  ECONNRESET: "it hung up",
};

function place({ name, port }: Target): string {
  if (port === 22) return name;
  return `${name} port ${port}`;
}

const loginHint = (notes: readonly string[]): string =>
  [...notes, "Load the right key into the SSH agent, or name it as ssh_key. Passwords are not used."].join(
    " ",
  );

/**
 * Why no connection came about. Nothing was done on the machine. `notes` say which keys could not be used.
 */
export function connectFailure(target: Target, error: Error, notes: readonly string[]): ToolError {
  if (ToolError.is(error)) return error;
  const { code, level, message } = error as SshFault;
  const failure = (kind: string, text: string, hint: string): ToolError =>
    new ToolError(kind, text, { hint, cause: error });
  if (level === "client-authentication")
    return failure(
      "system_permission_denied",
      `${place(target)} did not let ${target.user} in.`,
      loginHint(notes),
    );
  if (level === "client-timeout")
    return failure("timeout", `${place(target)} did not complete the login in time.`, retry);
  return failure(
    "network_error",
    `${place(target)} could not be reached: ${reasons[String(code)] ?? message}.`,
    retry,
  );
}

type Refusal = Exclude<KeyVerdict, "known">;

const refusals: Readonly<Record<Refusal, { readonly reason: string; readonly hint: string }>> = {
  unknown: {
    reason: "is not a known host",
    hint:
      "Ask the person to compare the fingerprint and to connect once with ssh, or to set " +
      "tools.remote.accept_new_hosts. " +
      "Nothing was sent.",
  },
  changed: {
    reason: "shows another key than the one it is known by; somebody may be in between",
    hint:
      "Do not retry. Tell the person; if the key was replaced on purpose, they remove the old " +
      "one with ssh-keygen -R.",
  },
  revoked: { reason: "shows a key that is revoked", hint: "Do not retry. Tell the person." },
  authority: {
    reason: "is known by a certificate authority only, and host certificates are not supported",
    hint: "Ask the person to add the host's own key to ~/.ssh/known_hosts.",
  },
};

/** Why the key that a host shows is not trusted. No credential was sent. */
export function keyRefused(target: Target, verdict: Refusal, keyPrint: string): ToolError {
  const { reason, hint } = refusals[verdict];
  return new ToolError("permission_denied", `${place(target)} ${reason} (${keyPrint}).`, { hint });
}

export function connectionLost(target: Target, cause?: Error): ToolError {
  const reason = [`The connection to ${place(target)} was lost`, cause?.message].filter(Boolean);
  return new ToolError("network_error", `${reason.join(": ")}.`, { hint: retry, cause });
}
