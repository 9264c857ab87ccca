import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { chatReply, mockProviderServer } from "@pergola/sdk/testing";
import { openFormats } from "./formats.ts";

/**
 * What plugins find outside: a model, and a web server with a page, which also passes for an image service.
 */
export interface Outside {
  /** `http://127.0.0.1:<port>` of the web server. */
  readonly pages: string;
  /** Address of a provider with one model, `test`, which says "Hello." */
  readonly model: string;
  /** Address of providers of other formats, at `/anthropic` and `/gemini`, with the same model. */
  readonly formats: string;
  close(): Promise<void>;
}

const page = `<html lang="en"><head><title>Pergolas</title></head><body><nav><a href="/">Start</a></nav>
<article><h1>Pergolas</h1>${"<p>A pergola carries climbing plants, and gives shade to those below.</p>".repeat(8)}</article></body></html>`;

const answers: Readonly<Record<string, readonly [type: string, body: string]>> = {
  "/page": ["text/html; charset=utf-8", page],
  "/health": ["application/json", '{"status":"ok"}'],
  "/models": ["application/json", '{"data":[{"id":"painter","name":"Painter"}]}'],
};

export async function openOutside(): Promise<Outside> {
  const server = createServer(({ url = "" }, response) => {
    const [type, body] = answers[url] ?? ["text/plain", ""];
    response.writeHead(body === "" ? 404 : 200, { "content-type": type }).end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const provider = await mockProviderServer(chatReply({ text: "Hello." }));
  const formats = await openFormats();
  return {
    pages: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    model: provider.baseUrl,
    formats: formats.url,
    close: async () => {
      server.close().closeAllConnections();
      formats.close();
      await provider.close();
    },
  };
}
