import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { jsonReply, sendReply, type MockReply } from "./mock-reply.ts";

/** What a client sent. */
export interface MockRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as it came. */
  readonly text: string;
  /** The body's JSON; undefined when it is none. */
  readonly body: unknown;
  /** `aborted`: the client went away before the answer was whole. Resolves when the exchange is over. */
  readonly outcome: Promise<"answered" | "aborted">;
}

/**
 * One reply for every request; one for each request in turn; or a function of the request and its number,
 * from 0.
 */
export type MockScript =
  MockReply | readonly MockReply[] | ((request: MockRequest, index: number) => MockReply);

export interface MockProviderServer {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** The same with `/v1`. */
  readonly baseUrl: string;
  /** Every request but those for the model list, in order of arrival. */
  readonly requests: readonly MockRequest[];
  /** Every request for the model list. */
  readonly listings: readonly MockRequest[];
  /** Replaces the script; the numbers of the requests go on. */
  play(script: MockScript): void;
  /** The request of that number, from 0, as soon as it has come. */
  request(index: number): Promise<MockRequest>;
  /** Tears down every connection. */
  close(): Promise<void>;
}

export interface MockOptions {
  /** The entries of `GET …/models`; an id stands for `{ id }`. Default: `test`. */
  readonly models?: readonly (string | object)[];
  /** The one key that it knows: whoever sends another is refused with 401. Default: it asks for none. */
  readonly key?: string;
}

async function readRequest(
  message: IncomingMessage,
  outcome: Promise<"answered" | "aborted">,
): Promise<MockRequest> {
  const pieces: Buffer[] = [];
  for await (const piece of message) pieces.push(piece as Buffer);
  const text = Buffer.concat(pieces).toString("utf8");
  return {
    method: message.method ?? "",
    path: message.url ?? "",
    headers: message.headers,
    text,
    body: parsed(text),
    outcome,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const outcomeOf = (response: ServerResponse): Promise<"answered" | "aborted"> =>
  new Promise((resolve) =>
    response.on("close", () => resolve(response.writableFinished ? "answered" : "aborted")),
  );

/**
 * What a script throws, an assertion mostly, reaches the client as a refusal, so that no test hangs on it.
 */
function attempt(
  script: (request: MockRequest, index: number) => MockReply,
  request: MockRequest,
  index: number,
): MockReply {
  try {
    return script(request, index);
  } catch (error) {
    return jsonReply({ error: { message: `The script failed: ${String(error)}` } }, { status: 400 });
  }
}

/** As some vendors do it does not keep to itself what it was sent. */
const refused = (sent: string): MockReply =>
  jsonReply({ error: { message: `No key is known to be ${sent}.` } }, { status: 401 });

const unscripted: MockReply = jsonReply(
  { error: { message: "The mock provider has no reply left for this request." } },
  { status: 500 },
);

/**
 * Starts a provider on a free loopback port. It speaks the chat-completions format as far as its script does:
 * replies are made by `chatReply`, `jsonReply` or by hand, and may be delayed, split, cut, reset or left
 * hanging. It answers `GET …/models` by itself.
 *
 *     const server = await mockProviderServer(chatReply([{ text: "Hi" }, { delayMs: 50 }, { hang: true }]));
 *     … let a provider at server.baseUrl answer, and abort the call …
 *     const { body, outcome } = await server.request(0);
 *     expect(await outcome).to.equal("aborted");
 *     await server.close();
 */
export async function mockProviderServer(
  script: MockScript = [],
  { models = ["test"], key }: MockOptions = {},
): Promise<MockProviderServer> {
  const requests: MockRequest[] = [];
  const listings: MockRequest[] = [];
  const server = createServer((message, response) => void answer(message, response));
  const list = jsonReply({
    object: "list",
    data: models.map((model) => (typeof model === "string" ? { id: model, object: "model" } : model)),
  });
  let [playing, offset] = [script, 0];

  function replyTo(request: MockRequest): MockReply {
    const isListing = request.method === "GET" && /\/models(\?|$)/.test(request.path);
    const index = (isListing ? listings : requests).push(request) - 1;
    if (!isListing) server.emit("asked");
    const { authorization = "nothing" } = request.headers;
    if (key !== undefined && authorization !== `Bearer ${key}`) return refused(String(authorization));
    if (isListing) return list;
    if (typeof playing === "function") return attempt(playing, request, index);
    return "body" in playing ? playing : (playing[index - offset] ?? unscripted);
  }

  async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const outcome = outcomeOf(response);
    const request = await readRequest(message, outcome).catch(() => undefined);
    if (request !== undefined) await sendReply(replyTo(request), response);
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    baseUrl: `${url}/v1`,
    requests,
    listings,
    play: (next) => {
      [playing, offset] = [next, requests.length];
    },
    request: async (index) => {
      for (;;) {
        const found = requests[index];
        if (found !== undefined) return found;
        await once(server, "asked");
      }
    },
    close: () => stop(server),
  };
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
