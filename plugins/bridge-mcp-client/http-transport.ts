import type { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { checkMessage, longestMessage } from "./guarded-messages.ts";
import { headersOf, type ServerSettings } from "./server-settings.ts";
import type { SignIn } from "./sign-in/sign-in.ts";
import { signedFetch } from "./sign-in/signed-fetch.ts";

const encoder = new TextEncoder();
const eventEnds = ["\n\n", "\r\n\r\n", "\r\r"].map((end) => Buffer.from(encoder.encode(end)));

/**
 * Lets pass one message after the other, none longer than the limit; a body without events is one message.
 */
function bounded(isEvents: boolean): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  return new TransformStream({
    transform(piece, controller) {
      const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
      const last = isEvents ? Math.max(...eventEnds.map((end) => bytes.lastIndexOf(end))) : -1;
      length = last < 0 ? length + piece.length : piece.length - last;
      if (length > longestMessage) controller.error(new Error("The server sent a message that is too long."));
      else controller.enqueue(piece);
    },
  });
}

/** Asks the named server and no other: no redirect takes the headers elsewhere. */
async function boundedFetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: "manual" });
  if (response.status >= 300 && response.status < 400)
    throw new Error("The server sends elsewhere; name the right address in mcp.servers.");
  if (response.body === null) return response;
  const isEvents = (response.headers.get("content-type") ?? "").includes("text/event-stream");
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(bounded(isEvents)), { status, statusText, headers });
}

/** The protocol's own transport over HTTP, behind a fetch with limits that sends the person's tokens. */
export async function openHttpTransport(
  settings: ServerSettings,
  signIn: SignIn,
): Promise<StreamableHTTPClientTransport> {
  const { StreamableHTTPClientTransport: Base } =
    await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
  class HttpTransport extends Base {
    /** Its callers set `onmessage` once, before they start it. */
    override async start(): Promise<void> {
      const receive = this.onmessage;
      this.onmessage = (message) => {
        checkMessage(message);
        receive?.(message);
      };
      await super.start();
    }
  }
  return new HttpTransport(new URL(settings.url ?? ""), {
    fetch: signIn.isPossible ? signedFetch(boundedFetch, signIn) : boundedFetch,
    requestInit: { headers: headersOf(settings) },
  });
}
