import { publicAddresses } from "@pergola/kit-addresses";
import { AppError } from "@pergola/sdk";
import type { Relay } from "@pergola/sdk/host";
import type { Agent, Dispatcher } from "undici";
import { guardedConnector } from "./guarded-connector.ts";
import { loadUndici } from "./load-undici.ts";
import { causeOf } from "./network-reasons.ts";

/** A way to one host, which tells whether anything was sent to it. */
async function openWay(isSafe: boolean) {
  const isPublic = await publicAddresses();
  const dial = guardedConnector(isSafe ? () => true : (address) => !isPublic(address));
  const way = { isOpen: false, agent: undefined as unknown as Agent };
  way.agent = new (loadUndici("Agent"))({
    connect: (to, done) =>
      dial(to, (...ended) => {
        way.isOpen = ended[0] === null;
        done(...ended);
      }),
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 0,
  });
  return way;
}

function unavailable(host: string, isOpen: boolean, cause: unknown): AppError {
  const remedy = isOpen
    ? "Look at what is there before you send it again: it may have been done."
    : "Nothing was done; try again later.";
  return new AppError({
    code: "host_unavailable",
    message: `The host at ${host} does not answer: ${causeOf(cause as Error)}. ${remedy}`,
    cause,
  });
}

/** The bytes as they come; the connection ends with them. */
async function* bytesOf(
  { body }: Dispatcher.ResponseData,
  { agent, host, signal }: { readonly agent: Agent; readonly host: string; readonly signal: AbortSignal },
): AsyncGenerator<Uint8Array, void> {
  try {
    for await (const piece of body) yield piece as Uint8Array;
  } catch (error) {
    throw signal.aborted ? signal.reason : unavailable(host, true, error);
  } finally {
    await agent.destroy();
  }
}

/** Hands a request on to another host. */
export const relay: Relay = async ({ url: text, method, headers, body, signal }) => {
  const url = new URL(text);
  const way = await openWay(url.protocol === "https:");
  const { agent } = way;
  try {
    signal.throwIfAborted();
    signal.addEventListener("abort", () => void agent.destroy(), { once: true });
    const answer = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers,
      body: body as never,
      signal,
    });
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: bytesOf(answer, { agent, host: url.host, signal }),
    };
  } catch (error) {
    await agent.destroy();
    if (signal.aborted) throw signal.reason;
    // The sender of the body is at fault.
    if (AppError.is(error)) throw error;
    throw unavailable(url.host, way.isOpen, error);
  }
};
