import { readFileSync } from "node:fs";
import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Server } from "node:net";
import { ToolError, type FetchInit, type OperationResult, type ToolContext } from "@pergola/sdk";
import { runOperation, toolContext, type TestContext, type TestSetup } from "@pergola/sdk/testing";
import { webOperations } from "../index.ts";

export interface Asked {
  readonly method: string;
  readonly host: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** An answer: HTML as text, or all of it; or a function that gives it by hand. */
export type Site =
  | string
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | Uint8Array;
    }
  | ((request: IncomingMessage, response: ServerResponse, asked: Asked) => void);

type Arguments = Readonly<Record<string, unknown>>;

export interface Web {
  /** The loopback origin; a page `/a` of it is the site `/a`. */
  readonly origin: string;
  readonly asked: readonly Asked[];
  readonly context: TestContext;
  readonly run: (
    operation: string,
    args: Arguments,
    changes?: Partial<ToolContext>,
  ) => Promise<OperationResult>;
  readonly data: <T>(operation: string, args: Arguments) => Promise<T>;
  readonly failure: (
    operation: string,
    args: Arguments,
    changes?: Partial<ToolContext>,
  ) => Promise<ToolError>;
}

export const answer = (file: string): string =>
  readFileSync(new URL(`./answers/${file}`, import.meta.url), "utf8");

export const operationNamed = (name: string) => {
  const found = webOperations.operations.find(
    (operation) => operation.name === name || operation.aliases?.includes(name),
  );
  if (found === undefined) throw new Error(`no operation ${name}`);
  return found;
};

const servers = new Set<Server>();
let scopes = 0;

export async function listen(server: Server, host = "127.0.0.1", port = 0): Promise<number> {
  servers.add(server);
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
  return (server.address() as AddressInfo).port;
}

/** Ends the servers; the reading thread stays for the next test and does not keep the process. */
export async function stopWeb(): Promise<void> {
  for (const server of servers) {
    if ("closeAllConnections" in server) (server as HttpServer).closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  servers.clear();
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const piece of request as AsyncIterable<Buffer>) body += piece.toString();
  return body;
}

function give(
  site: Site | undefined,
  request: IncomingMessage,
  response: ServerResponse,
  asked: Asked,
): void {
  if (typeof site === "function") return site(request, response, asked);
  const {
    status = 200,
    headers = {},
    body = "",
  } = typeof site === "string" ? { body: site } : (site ?? { status: 404 });
  response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...headers }).end(body);
}

/**
 * A web of sites on loopback. A site's key is a path of the loopback host (`/a`), a host
 * (`bridges.example.org`), or a host with a path; hosts are reached through the host's own door, only that
 * their addresses lead to loopback.
 */
export async function web(
  sites: Readonly<Record<string, Site>>,
  setup: Partial<ToolContext> & TestSetup = {},
): Promise<Web> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const [, host = "", rest = ""] = /^\/@([^/]*)(\/.*)$/.exec(request.url ?? "") ?? [
        "",
        "",
        request.url ?? "",
      ];
      const one = { method: request.method ?? "", host, path: rest, headers: request.headers, body };
      asked.push(one);
      const path = rest.split("?")[0] ?? "";
      give(sites[host + path] ?? (host === "" ? undefined : sites[host]), request, response, one);
    });
  });
  const origin = `http://127.0.0.1:${await listen(server)}`;
  const context = toolContext({
    scope: `scope-${(scopes += 1)}`,
    ...setup,
    configured: { origins: [origin] },
  });
  const hosts = new Set(Object.keys(sites).map((key) => key.split("/")[0]));
  const fetch = async (url: string, init?: FetchInit): Promise<Response> => {
    const target = URL.canParse(url) ? new URL(url) : undefined;
    if (target === undefined || target.hostname === "" || !hosts.has(target.hostname))
      return context.fetch(url, init);
    const response = await context.fetch(
      `${origin}/@${target.hostname}${target.pathname}${target.search}`,
      init,
    );
    return Object.defineProperty(new Response(response.body, response), "url", { value: target.href });
  };
  const run = (operation: string, args: Arguments, changes: Partial<ToolContext> = {}) =>
    runOperation(operationNamed(operation), args, { ...context, fetch, ...changes });
  return {
    origin,
    asked,
    context,
    run,
    data: async <T>(operation: string, args: Arguments) => (await run(operation, args)).data as T,
    async failure(operation, args, changes) {
      const error: unknown = await run(operation, args, changes).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (ToolError.is(error)) return error;
      throw new Error(`${operation} did not fail with a ToolError`, { cause: error });
    },
  };
}

/** A page as sites make them: a menu, an article of these paragraphs, a foot. */
export const page = (title: string, ...paragraphs: readonly string[]): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body>
  <nav><ul><li><a href="/">Home</a></li><li><a href="/login">Log in</a></li></ul></nav>
  <main><article><h1>${title}</h1>${paragraphs.map((text) => `<p>${text}</p>`).join("\n")}</article></main>
  <footer><p>Terms, privacy, cookies</p></footer></body></html>`;
