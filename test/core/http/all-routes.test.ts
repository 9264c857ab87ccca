import { readdirSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Plugin, Route } from "@pergola/sdk";
import { closeDoors, errorIn, openDoor, readAnswer, sendBytes } from "./open-door.ts";

const plugins = path.join(import.meta.dirname, "../../../plugins");

/** Every route that a plugin of this repository brings, so that a new one cannot be forgotten. */
async function allRoutes(): Promise<readonly (Route & { readonly group: string })[]> {
  const folders = readdirSync(plugins).filter((name) => name.startsWith("endpoint-"));
  const loaded = await Promise.all(
    folders.map(async (name) => (await import(path.join(plugins, name, "index.ts"))) as { default: Plugin }),
  );
  return loaded
    .flatMap((entry) => entry.default.endpoints ?? [])
    .flatMap(({ group, routes }) => routes.map((route) => ({ ...route, group })));
}

const attacks: readonly [name: string, headers: string, code: string][] = [
  ["CVE-2024-28224: a Host of somebody else", "Host: evil.example:8080\r\n", "forbidden_host"],
  [
    "CVE-2025-49596: an Origin of somebody else",
    "Host: localhost\r\nOrigin: https://evil.example\r\n",
    "forbidden_origin",
  ],
  [
    "CVE-2026-22812: an Origin of another port",
    "Host: localhost\r\nOrigin: http://localhost:1\r\n",
    "forbidden_origin",
  ],
  ["the Origin null", "Host: localhost\r\nOrigin: null\r\n", "forbidden_origin"],
  [
    "openclaw #16059: a cross-site request without Origin",
    "Host: localhost\r\nSec-Fetch-Site: cross-site\r\n",
    "forbidden_origin",
  ],
  ["two Hosts", "Host: localhost\r\nHost: localhost\r\n", "invalid_value"],
];

describe("CVE-2026-2611: every route of every plugin", function () {
  this.timeout(60_000);
  let routes: Awaited<ReturnType<typeof allRoutes>>;
  let port: number;
  const handled: string[] = [];

  before(async () => {
    routes = (await allRoutes()).map((route) => ({
      ...route,
      handle: () => (handled.push(route.path), { body: {} }),
    }));
    ({ port } = await openDoor(routes));
  });
  after(closeDoors);

  const requests = (among: readonly Route[] = routes) =>
    among.flatMap((route) =>
      [route.path, ...(route.aliases ?? [])].map(
        (path) => `${route.method} ${path.replaceAll(/\{\w+…?\}/g, "x")}`,
      ),
    );

  it("is there to be asked", () => {
    expect(requests().length).to.be.above(20);
  });

  for (const [name, headers, code] of attacks) {
    it(`keeps out ${name}`, async () => {
      for (const request of requests()) {
        const { status, body } = readAnswer(
          await sendBytes(port, `${request} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`),
        );
        expect(`${request} ${status} ${errorIn(body).code}`).to.equal(
          `${request} ${code === "invalid_value" ? 400 : 403} ${code}`,
        );
      }
      expect(handled).to.deep.equal([]);
    });
  }

  it("asks remote callers for a token, but for the open ones", async () => {
    const [open, closed] = [true, false].map((isOpen) =>
      routes.filter(({ scope }) => (scope === "open") === isOpen),
    );
    // The first is the page, to which the other one yields.
    expect(open?.map(({ path }) => path)).to.have.members([
      "/health",
      "/",
      "/",
      "/web/{file…}",
      "/docs",
      "/docs/{file…}",
    ]);
    for (const request of requests(closed)) {
      const { status } = readAnswer(
        await sendBytes(
          port,
          `${request} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 203.0.113.9\r\nConnection: close\r\n\r\n`,
        ),
      );
      expect(`${request} ${status}`).to.equal(`${request} 401`);
    }
  });

  const sendText = async (request: string, text: string, headers = ""): Promise<string> => {
    const head = `${request} HTTP/1.1\r\nHost: localhost\r\n${headers}Content-Type: text/plain\r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n`;
    return `${request} ${readAnswer(await sendBytes(port, head, text)).status}`;
  };
  const text = '["file:/../../etc/passwd","utf-8"]';

  it("CVE-2024-36857: takes no body of another type than JSON", async () => {
    const typed = routes.filter(({ takes }) => takes !== "untyped");
    for (const request of requests(typed).filter((one) => !one.startsWith("GET ")))
      expect(await sendText(request, text)).to.equal(`${request} 415`);
    expect(handled).to.deep.equal([]);
  });

  it("takes none of any other type from a web page where programs need not name it", async () => {
    const untyped = routes.filter(({ takes }) => takes === "untyped");
    // Embeddings have a route that yields to the other one.
    expect(untyped.map(({ path }) => path)).to.have.members([
      "/api/chat",
      "/api/generate",
      "/api/show",
      "/api/embed",
      "/api/embeddings",
      "/api/embeddings",
    ]);
    for (const request of requests(untyped)) {
      for (const page of [`Origin: http://localhost:${port}\r\n`, "Sec-Fetch-Site: same-origin\r\n"])
        expect(await sendText(request, text, page)).to.equal(`${request} 415`);
      expect(await sendText(request, text)).to.equal(`${request} 400`);
    }
    expect(handled).to.deep.equal([]);
  });
});
