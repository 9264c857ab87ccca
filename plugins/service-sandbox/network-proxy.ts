import { createHash, timingSafeEqual } from "node:crypto";
import {
  Agent,
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Opens a connection as the rules for outgoing calls allow it; rejects with what the caller is told. */
export type Dial = (host: string, port: number) => Promise<Socket>;

export interface ProxyRules {
  /** `public`: every host with a public address. A list: these names only, `*.name` for all below one. */
  readonly hosts: readonly string[] | "public";
  readonly dial: Dial;
  /** Of the user `pergola`; who does not bring it is answered with 407. */
  readonly password?: string;
}

/** Connections that one program may hold open. */
const mostConnections = 256;
/** Milliseconds in which a request's headers must have come. */
const headerTime = 30_000;

/** Headers that belong to one connection (RFC 9110, 7.6.1), or are meant for a proxy. */
const ofConnection = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

const plain = (host: string): string => host.toLowerCase().replace(/^\[(.*)\]$/, "$1");

function isListed(host: string, port: number, hosts: ProxyRules["hosts"]): boolean {
  if (hosts === "public") return true;
  return hosts.map(plain).some((one) => {
    if (one.startsWith("*.")) return host.endsWith(one.slice(1));
    return one === host || one === `${host}:${port}`;
  });
}

/** A host and a port, from `name:443`, `[::1]:443` or `10.0.0.1:443`. */
function targetOf(authority: string): { readonly host: string; readonly port: number } | undefined {
  const [, host, port] = /^(\[[\da-f:.%]+\]|[^:@/\s]+):(\d{1,5})$/i.exec(authority) ?? [];
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) return undefined;
  return { host: plain(host), port: Number(port) };
}

async function open(host: string, port: number, { hosts, dial }: ProxyRules): Promise<Socket> {
  if (!isListed(host, port, hosts)) throw new Error(`${host} is not among the hosts of this program.`);
  return dial(host, port);
}

/** Compared in constant time, by digests of one length. */
function isAllowed({ headers }: IncomingMessage, { password }: ProxyRules): boolean {
  if (password === undefined) return true;
  const wanted = `Basic ${Buffer.from(`pergola:${password}`).toString("base64")}`;
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(headers["proxy-authorization"] ?? ""), digest(wanted));
}

const wantsPassword = "Pergola: this proxy belongs to another program.\n";

const answerOf = (error: unknown): string => `Pergola: ${(error as Error).message}\n`;

function refuseTunnel(client: Duplex, status: string, words: string): void {
  client.end(
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(words)}\r\nConnection: close\r\n\r\n${words}`,
  );
}

async function tunnel(
  asked: IncomingMessage,
  client: Duplex,
  head: Buffer,
  rules: ProxyRules,
): Promise<void> {
  client.on("error", () => undefined);
  if (!isAllowed(asked, rules))
    return refuseTunnel(client, "407 Proxy Authentication Required", wantsPassword);
  const target = targetOf(asked.url ?? "");
  if (target === undefined) return refuseTunnel(client, "400 Bad Request", "Pergola: no host and port.\n");
  let upstream: Socket;
  try {
    upstream = await open(target.host, target.port, rules);
  } catch (error) {
    return refuseTunnel(client, "403 Forbidden", answerOf(error));
  }
  client.write("HTTP/1.1 200 Connection established\r\n\r\n");
  if (head.length > 0) upstream.write(head);
  await Promise.allSettled([pipeline(client, upstream), pipeline(upstream, client)]);
  client.destroy();
  upstream.destroy();
}

const forwarded = (headers: IncomingHttpHeaders): IncomingHttpHeaders => {
  const named = new Set(
    String(headers.connection ?? "")
      .toLowerCase()
      .split(/\s*,\s*/),
  );
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !ofConnection.has(name) && !named.has(name)),
  );
};

function refuse(answer: ServerResponse, status: number, words: string): void {
  if (answer.headersSent) return void answer.destroy();
  answer.writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" }).end(words);
}

/** A request to a proxy names its whole address (RFC 9112, 3.2.2); the host header follows from it. */
async function forward(asked: IncomingMessage, answer: ServerResponse, rules: ProxyRules): Promise<void> {
  if (!isAllowed(asked, rules)) return refuse(answer, 407, wantsPassword);
  const address = URL.canParse(asked.url ?? "") ? new URL(asked.url ?? "") : undefined;
  if (address?.protocol !== "http:")
    return refuse(answer, 400, "Pergola: this is a proxy for http and CONNECT.\n");
  let upstream: Socket;
  try {
    upstream = await open(plain(address.hostname), Number(address.port || 80), rules);
  } catch (error) {
    return refuse(answer, 403, answerOf(error));
  }
  const agent = new Agent({ keepAlive: false });
  agent.createConnection = () => upstream;
  const passed = request({
    agent,
    method: asked.method ?? "GET",
    path: address.pathname + address.search,
    headers: { ...forwarded(asked.headers), host: address.host },
  });
  passed.once("response", (from) => {
    answer.writeHead(from.statusCode ?? 502, forwarded(from.headers));
    pipeline(from, answer).catch(() => answer.destroy());
  });
  passed.once("error", (error) => refuse(answer, 502, answerOf(error)));
  answer.once("close", () => upstream.destroy());
  await pipeline(asked, passed).catch(() => passed.destroy());
}

/**
 * A proxy for one program: HTTP, and CONNECT for everything else. Every request is judged anew, redirects
 * too, and the address that was judged is the one that is dialled. What is refused is answered with 403.
 */
export function createProxy(rules: ProxyRules): Server {
  const server = createServer({ headersTimeout: headerTime, requestTimeout: 0 });
  server.maxConnections = mostConnections;
  server.on("request", (asked, answer) => void forward(asked, answer, rules));
  server.on("connect", (asked: IncomingMessage, client, head) => void tunnel(asked, client, head, rules));
  server.on("upgrade", (_asked, client) => refuseTunnel(client, "403 Forbidden", "Pergola: use CONNECT.\n"));
  server.on("clientError", (_error, client) => client.destroy());
  return server;
}
