import { publicAddresses } from "@pergola/kit-addresses";
import { AppError, ToolError } from "@pergola/sdk";
import type { Relay } from "@pergola/sdk/host";
import type { Agent } from "undici";
import { guardedConnector } from "./guarded-connector.ts";
import { loadUndici } from "./load-undici.ts";
import { causeOf } from "./network-reasons.ts";
import { bytesOf } from "./stream.ts";

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
      method: method,
      headers,
      body: body as never,
      signal,
    });
    return { status: answer.statusCode, headers: answer.headers, body: bytesOf(answer, agent, signal) };
  } catch (error) {
    await agent.destroy();
    if (signal.aborted) throw signal.reason;
    // The sender of the body is at fault.
    if (AppError.is(error) && !ToolError.is(error)) throw error;
    throw unavailable(url.host, way.isOpen, error);
  }
};
