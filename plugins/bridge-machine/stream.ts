import { ToolError, type ProviderResponse } from "@pergola/sdk";
import type { StreamFetch } from "@pergola/sdk/host";
import type { Agent, Dispatcher } from "undici";
import { checkUrl, explain, followAll, lowerCaseNames, openAgent, type FetchOptions } from "./fetch.ts";
import { readAll } from "./read-all.ts";

const largestText = 10_485_760;
const tooLarge = (): ToolError =>
  new ToolError("network_error", "The answer is too large.", { hint: "A retry makes no sense." });

/** The bytes as they come, at the reader's pace; the connection ends with them. */
async function* bytesOf(
  { body }: Dispatcher.ResponseData,
  agent: Agent,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  try {
    for await (const piece of body) yield piece as Uint8Array;
  } catch (error) {
    throw explain(error, signal);
  } finally {
    await agent.destroy();
  }
}

/**
 * A way to the web for what is too large to be gathered: as `createFetch`, but the answer is handed on as it
 * is sent.
 */
export const createStream =
  (options: Omit<FetchOptions, "signal">): StreamFetch =>
  async (text, { headers = {}, signal, timeoutSeconds = 60, idleTimeoutSeconds = 60 }) => {
    let agent: Agent | undefined;
    try {
      const own = { ...options, signal };
      const url = checkUrl(text, own);
      const opened = await openAgent(own, timeoutSeconds * 1000, idleTimeoutSeconds * 1000);
      agent = opened;
      signal.throwIfAborted();
      signal.addEventListener("abort", () => void opened.destroy(), { once: true });
      const first = { url, method: "GET", headers: lowerCaseNames(headers), body: null };
      const { answer } = await followAll(first, opened, own);
      return responseOf(answer, opened, signal);
    } catch (error) {
      await agent?.destroy();
      throw explain(error, signal);
    }
  };

function responseOf(answer: Dispatcher.ResponseData, agent: Agent, signal: AbortSignal): ProviderResponse {
  const body = bytesOf(answer, agent, signal);
  return {
    status: answer.statusCode,
    header: (name) => answer.headers[name.toLowerCase()]?.toString(),
    body,
    text: async () => (await readAll(body, largestText, tooLarge)).toString(),
  };
}
