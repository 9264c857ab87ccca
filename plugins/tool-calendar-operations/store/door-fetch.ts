import { ToolError, type ToolContext } from "@pergola/sdk";
import type { Account } from "./account.ts";

/** Services whose accounts live on other hosts than the one that people are told. */
const family = /^[\w-]+\.icloud\.com$/;

/**
 * The account's own host, or one of the same service: nobody else gets to see the password, whatever the
 * server answers.
 */
function isTrusted(url: URL, account: URL): boolean {
  if (url.protocol !== account.protocol) return false;
  return (
    url.host === account.host ||
    (url.port === account.port && family.test(url.hostname) && family.test(account.hostname))
  );
}

const hintFor = ({ host }: URL): string =>
  `Ask the person whether ${host} is right. Without TLS only servers on this machine and in private networks are called: use https.`;

/**
 * The door's fetch in the form that tsdav takes, with the account's name and password. The operator named the
 * server, so it may be in a private network. Throws ToolError `permission_denied` for other hosts than the
 * account's.
 */
export function doorFetch(
  context: Pick<ToolContext, "fetch" | "signal">,
  { url: home, user, password }: Account,
): typeof fetch {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  const account = new URL(home);
  return async (input, init = {}) => {
    context.signal.throwIfAborted();
    const url = new URL(input instanceof Request ? input.url : input);
    if (!isTrusted(url, account))
      throw new ToolError(
        "permission_denied",
        `The server of the account points to another host, ${url.host}.`,
        {
          hint: "The password is not sent there. Ask the person to check the account's address.",
        },
      );
    const headers = { ...(init.headers as Record<string, string> | undefined), authorization };
    const body = typeof init.body === "string" ? { body: init.body } : {};
    const answer = await context
      .fetch(url.href, {
        method: init.method ?? "GET",
        headers,
        maxBytes: 67_108_864,
        redirect: init.redirect === "manual" ? "manual" : "follow",
        ...body,
      })
      .catch((error: unknown) => {
        if (!ToolError.is(error) || error.code !== "permission_denied") throw error;
        throw new ToolError(error.code, error.message, { hint: hintFor(account), cause: error });
      });
    if (answer.status === 401 || answer.status === 403)
      throw new ToolError(
        "permission_denied",
        `${account.host} refused the user name or the password of the account (${answer.status}).`,
        {
          hint: "Ask the person to check the account in the settings.",
        },
      );
    return answer;
  };
}

/** What a DAV server or its client says, as the failure of a tool. */
export async function overDav<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (ToolError.is(error)) throw error;
    throw new ToolError(
      "network_error",
      `The server of the account did not do what was asked: ${(error as Error).message}.`.slice(0, 500),
      {
        hint: "Try once more; if it fails again, ask the person to check the account's address.",
        cause: error,
      },
    );
  }
}

/**
 * Throws ToolError `conflict` when somebody else changed the object in the meantime, `network_error` for any
 * other refusal.
 */
export function checkAnswer({ ok, status }: Response): void {
  if (status === 412)
    throw new ToolError("conflict", "It was changed by another program in the meantime.", {
      hint: "List it again, then repeat the call.",
    });
  if (!ok)
    throw new ToolError("network_error", `The server of the account refused the change (${status}).`, {
      hint: "Tell the person.",
    });
}
