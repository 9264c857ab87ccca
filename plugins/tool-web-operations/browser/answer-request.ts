import type { ToolContext } from "@pergola/sdk";
import type { PageRequest, RequestAnswer } from "./browser-tasks.ts";

/** Bytes of one answer, and seconds for it. */
const [maxBytes, timeoutSeconds] = [5 * 2 ** 20, 15];

/** What the door sets itself, what belongs to one connection, and cookies, which nobody keeps. */
const dropped = {
  asked: /^(host|connection|content-length|accept-encoding|user-agent|cookie|origin|sec-.*|proxy-.*|:.*)$/,
  answered: /^(content-encoding|content-length|transfer-encoding|connection|set-cookie|alt-svc|link)$/,
} as const;

const without = (headers: Iterable<readonly [string, string]>, names: RegExp): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => !names.test(name.toLowerCase())));

/** Asks through the door for what a page wants: whatever the door refuses, the page does not get. */
export async function answerRequest(
  { fetch, signal }: Pick<ToolContext, "fetch" | "signal">,
  { id, url, method, headers, body }: PageRequest,
): Promise<RequestAnswer> {
  try {
    const response = await fetch(url, {
      method,
      signal,
      maxBytes,
      timeoutSeconds,
      headers: without(Object.entries(headers), dropped.asked),
      ...(body && { body }),
    });
    const answer = {
      status: response.status,
      headers: without(response.headers, dropped.answered),
      body: new Uint8Array(await response.arrayBuffer()),
    };
    return { id, answer };
  } catch {
    return { id };
  }
}
