import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { isJSONRPCRequest, type FetchLike, type JSONRPCMessage } from "@modelcontextprotocol/client";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { Relay } from "./relay.ts";

/** The lines of a client that has started this process, and the service behind it. */
export interface Serving {
  /** Where the service speaks the protocol over HTTP. */
  readonly url: string;
  readonly fetch: FetchLike;
  readonly input: Readable;
  readonly output: Writable;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** What went wrong beside the answers, for the person. */
  readonly report: (text: string) => void;
}

/** What a client is told of a request that did not reach the service. */
const failure = (message: JSONRPCMessage, error: unknown): JSONRPCMessage | undefined =>
  isJSONRPCRequest(message)
    ? { jsonrpc: "2.0", id: message.id, error: { code: -32603, message: (error as Error).message } }
    : undefined;

/** Serves a client over stdin and stdout, by handing its messages on, until it closes the input. */
export async function serve({ url, fetch, input, output, signal, report }: Serving): Promise<void> {
  if (signal.aborted) return;
  const near = new StdioServerTransport(input, output);
  const give = async (message: JSONRPCMessage): Promise<void> => near.send(message);
  const relay = new Relay({ url: new URL(url), fetch, give, report });
  near.onerror = ({ message }) => report(message);
  near.onmessage = (message) =>
    void relay.take(message).catch(async (error: unknown) => {
      const answer = failure(message, error);
      if (answer !== undefined) await give(answer);
      else report((error as Error).message);
    });
  const ended = Promise.race([once(input, "end"), once(input, "close"), once(signal, "abort")]);
  await near.start();
  await ended;
  await relay.close();
  await near.close();
}
