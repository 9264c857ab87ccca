import { Readable, type Writable } from "node:stream";
import type { Answer } from "./ask.ts";
import { importCommand } from "./plugin-command.ts";
import { printNote } from "./print-result.ts";
import { withService, type CommonOptions, type Service } from "./service.ts";
import { takeOutput } from "./take-output.ts";

/** What the plugin that serves MCP clients exports. */
interface Bridge {
  readonly serve: (serving: {
    readonly url: string;
    readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
    readonly input: Readable;
    readonly output: Writable;
    readonly signal: AbortSignal;
    readonly report: (text: string) => void;
  }) => Promise<void>;
}

const place = "/mcp";

/** An answer as the protocol's package wants it. */
function responseOf({ status, headers, body }: Answer): Response {
  const pairs = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  const isEmpty = status === 204 || status === 304;
  if (isEmpty) body.resume();
  const stream = isEmpty ? null : Readable.toWeb(body);
  return new Response(stream as ConstructorParameters<typeof Response>[0], { status, headers: pairs });
}

/**
 * Requests of the protocol, sent as the commands send theirs. Who only listens starts no service: one that is
 * just being started anew would find its data in use.
 */
const fetchFrom =
  (service: Service) =>
  async (_: string | URL, { method = "GET", headers, body, signal }: RequestInit = {}): Promise<Response> =>
    responseOf(
      await service.fetch(
        place,
        {
          method,
          headers: Object.fromEntries(new Headers(headers)),
          ...(typeof body === "string" && { body }),
          ...(signal && { signal }),
        },
        method !== "GET",
      ),
    );

/** Serves the MCP client that has started this process, until it closes the input. */
export async function mcp(options: CommonOptions): Promise<void> {
  const output = takeOutput();
  const ending = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => ending.abort());
  const { serve } = await importCommand<Bridge>("mcp", options);
  await withService(options, (service) =>
    serve({
      url: service.url + place,
      fetch: fetchFrom(service),
      input: process.stdin,
      output,
      signal: ending.signal,
      report: printNote,
    }),
  );
}
