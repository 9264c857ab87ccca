import { isIPv6 } from "node:net";
import { userInfo } from "node:os";
import { ToolError } from "@pergola/sdk";

/** An account on a machine. */
export interface Target {
  readonly user: string;
  /** A name or an address, in lower case, without brackets. */
  readonly name: string;
  readonly port: number;
  /** As it was called. */
  readonly label: string;
}

const account = /^[A-Za-z0-9_][A-Za-z0-9._+$-]{0,127}$/;
const hostName = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,252}$/;
const isName = (name: string): boolean => hostName.test(name) || isIPv6(name);

/**
 * Reads `[user@]name-or-address`; an IPv6 address may stand in brackets. The account is this process's own
 * when none is given. Throws `invalid_value` for anything else, above all for what a program could take for
 * an option.
 */
export function parseTarget(text: string, port: number): Target {
  const at = text.lastIndexOf("@");
  const host = text.slice(at + 1);
  const name = host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
  const user = at === -1 ? userInfo().username : text.slice(0, at);
  if (!isName(name) || (name !== host && !isIPv6(name)) || !account.test(user)) {
    throw new ToolError("invalid_value", `${JSON.stringify(text)} is not a host.`, {
      hint: "Give it as user@host, as in deploy@example.org.",
    });
  }
  return { user, name: name.toLowerCase(), port, label: text };
}

/**
 * Reads a host of the preference `tools.remote.targets`, which may end with a port of its own:
 * `user@host:2222`, `[::1]:2222`.
 */
export function parseListed(text: string, port: number): Target {
  const [, host = text, digits] = /^(.*[^:]):(\d{1,5})$/.exec(text) ?? [];
  const isWholeAddress = isIPv6(text.slice(text.lastIndexOf("@") + 1));
  if (digits === undefined || isWholeAddress) return parseTarget(text, port);
  return { ...parseTarget(host, Number(digits)), label: text };
}
