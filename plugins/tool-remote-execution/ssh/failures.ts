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

const place = ({ name, port }: Target): string => (port === 22 ? name : `${name} port ${port}`);

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
  const failure = (kind: string, said: string, hint: string): ToolError =>
    new ToolError(kind, said, { hint, cause: error });
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

const refusals: Readonly<
  Record<Exclude<KeyVerdict, "known">, { readonly said: string; readonly hint: string }>
> = {
  unknown: {
    said: "is not a known host",
    hint:
      "Ask the person to compare the fingerprint and to connect once with ssh, or to set " +
      "tools.remote.accept_new_hosts. " +
      "Nothing was sent.",
  },
  changed: {
    said: "shows another key than the one it is known by; somebody may be in between",
    hint:
      "Do not retry. Tell the person; if the key was replaced on purpose, they remove the old " +
      "one with ssh-keygen -R.",
  },
  revoked: { said: "shows a key that is revoked", hint: "Do not retry. Tell the person." },
  authority: {
    said: "is known by a certificate authority only, and host certificates are not supported",
    hint: "Ask the person to add the host's own key to ~/.ssh/known_hosts.",
  },
};

/** Why the key that a host shows is not trusted. No credential was sent. */
export function keyRefused(
  target: Target,
  verdict: Exclude<KeyVerdict, "known">,
  keyPrint: string,
): ToolError {
  const { said, hint } = refusals[verdict];
  return new ToolError("permission_denied", `${place(target)} ${said} (${keyPrint}).`, { hint });
}

export const connectionLost = (target: Target, cause?: Error): ToolError =>
  new ToolError(
    "network_error",
    `The connection to ${place(target)} was lost${cause === undefined ? "" : `: ${cause.message}`}.`,
    {
      hint: retry,
      cause,
    },
  );
