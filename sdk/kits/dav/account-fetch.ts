import { defined, ToolError, type ToolContext } from "@pergola/sdk";
import type { DavAccount } from "./dav-account.ts";

const maxBytes = 67_108_864;

/** iCloud serves an account from other hosts than the one that its users enter. */
const icloudHost = /^[\w-]+\.icloud\.com$/;

function mayReceivePassword(url: URL, account: URL): boolean {
  if (url.protocol !== account.protocol) return false;
  if (url.host === account.host) return true;
  return url.port === account.port && [url, account].every(({ hostname }) => icloudHost.test(hostname));
}

function checkHost(url: URL, account: URL): void {
  if (mayReceivePassword(url, account)) return;
  throw new ToolError("permission_denied", `The account's server points to another host, ${url.host}.`, {
    hint: "The password is not sent there. Ask the person to check the account's address.",
  });
}

function checkSignIn({ status }: Response, { host }: URL): void {
  if (status !== 401 && status !== 403) return;
  throw new ToolError(
    "permission_denied",
    `${host} refused the user name or the password of the account (${status}).`,
    { hint: "Ask the person to check the account in the settings." },
  );
}

function explainRefusal(error: unknown, { host }: URL): unknown {
  if (!ToolError.is(error) || error.code !== "permission_denied") return error;
  const hint =
    `Ask the person whether ${host} is right. Without TLS, only servers on this machine and in private ` +
    "networks can be used: use https.";
  return new ToolError(error.code, error.message, { hint, cause: error });
}

/**
 * Wraps `context.fetch` as a standard `fetch` that signs in to the account (HTTP Basic).
 *
 * The password goes only to the account's own host and port over the account's own protocol; for iCloud, also
 * to the other hosts below `icloud.com`. Whatever addresses the server answers with, no other host sees it.
 *
 * Throws ToolError `permission_denied` before a request to any other host, and after an answer 401 or 403.
 */
export function accountFetch(
  context: Pick<ToolContext, "fetch" | "signal">,
  { url: accountUrl, user, password }: DavAccount,
): typeof fetch {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  const account = new URL(accountUrl);
  return async (input, { method = "GET", headers, body, redirect } = {}) => {
    context.signal.throwIfAborted();
    const url = new URL(input instanceof Request ? input.url : input);
    checkHost(url, account);
    const init = defined({
      method,
      headers: { ...(headers as Record<string, string> | undefined), authorization },
      maxBytes,
      redirect: redirect === "manual" ? ("manual" as const) : ("follow" as const),
      body: typeof body === "string" ? body : undefined,
    });
    const answer = await context.fetch(url.href, init).catch((error: unknown) => {
      throw explainRefusal(error, account);
    });
    checkSignIn(answer, account);
    return answer;
  };
}
