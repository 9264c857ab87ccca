import { request, Agent } from "node:http";
import { once } from "node:events";
import { AppError, type Route } from "@pergola/sdk";
import { expect } from "chai";
import type { Stage } from "../support/host.ts";
import { addToken, openDoorStage } from "./door-scene.ts";

/** Names and values in turn, as they go over the wire. */
type Lines = readonly string[];

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly lines?: Lines;
  readonly body?: string;
}

interface Told {
  readonly status: number;
  /** The error's code; undefined where the answer has not the one shape of errors. */
  readonly code: string | undefined;
  readonly text: string;
}

const json: Lines = ["Content-Type", "application/json"];
const fromAfar: Lines = ["X-Forwarded-For", "203.0.113.36"];

const foreignHosts = [
  "evil.example:8080",
  "",
  "localhost.evil.example",
  "127.0.0.1.evil.example",
  "192.168.1.5",
];
const foreignSites = [
  ["Sec-Fetch-Site", "cross-site"],
  ["Sec-Fetch-Site", "same-site"],
  ["Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "image"],
  ["Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"],
];

/** Bodies that a page of another site can send without asking for permission. */
const simpleBodies: readonly { readonly what: string; readonly lines: Lines; readonly body: string }[] = [
  { what: "form", lines: ["Content-Type", "application/x-www-form-urlencoded"], body: "title=posted" },
  { what: "text", lines: ["Content-Type", "text/plain;charset=UTF-8"], body: "{}" },
  { what: "typeless Blob", lines: [], body: "{}" },
  { what: "typeless stream", lines: ["Transfer-Encoding", "chunked"], body: "{}" },
  { what: "empty type", lines: ["Content-Type", ""], body: "{}" },
  { what: "two types", lines: ["Content-Type", "text/plain, application/json"], body: "{}" },
  {
    what: "multipart",
    lines: ["Content-Type", "multipart/form-data; boundary=x"],
    body: '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nposted\r\n--x--\r\n',
  },
];

type Served = Route & { readonly group: string };

const takesAnyFile = ({ method, path }: Route): boolean => method === "PUT" && path.includes("/files/");

describe("requests of strangers' pages", () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  let stage: Stage;
  let token = "";
  let routes: readonly { readonly route: Served; readonly method: string; readonly path: string }[];
  /** Routes whose handlers were called, in turn. */
  const called: string[] = [];

  before(async () => {
    stage = await openDoorStage({ settings: { "debug.allow_remote": true } });
    const scopes = ["read", "chat", "tools", "approve", "admin"];
    token = (await addToken(stage.host, "x36", { scopes })).secret;
    const served = stage.host.services.system.routes() as readonly Served[];
    routes = served.flatMap((route) =>
      [route.path, ...(route.aliases ?? [])].map((one) => ({
        route,
        method: route.method,
        path: one.replaceAll(/\{\w+…?\}/g, "x"),
      })),
    );
    for (const route of served) {
      const { handle, path } = route;
      const reached = (): never => {
        throw new AppError({ code: "shutting_down", message: "The handler was reached." });
      };
      const spy: Route["handle"] = (...given) => {
        called.push(`${route.method} ${path}`);
        return path === "/health" ? handle(...given) : reached();
      };
      Object.assign(route, { handle: spy });
    }
  });
  beforeEach(() => void (called.length = 0));
  after(async () => {
    agent.destroy();
    await stage.end();
  });

  const own = (): string => new URL(stage.host.url).host;

  const send = async ({ method, path, lines = [], body }: Sent): Promise<Told> => {
    const { port } = new URL(stage.host.url);
    const hasHost = lines.some((text, index) => index % 2 === 0 && text === "Host");
    const length =
      body === undefined || lines.includes("Transfer-Encoding")
        ? []
        : ["Content-Length", String(Buffer.byteLength(body))];
    const headers = [...(hasHost ? [] : ["Host", own()]), ...lines, ...length];
    const asked = request({ agent, host: "127.0.0.1", port, method, path, setHost: false, headers });
    asked.end(body);
    const [answer] = (await once(asked, "response")) as [AsyncIterable<Buffer> & { statusCode: number }];
    const pieces: Buffer[] = [];
    for await (const piece of answer) pieces.push(piece);
    const text = Buffer.concat(pieces).toString("utf8");
    return { status: answer.statusCode, code: codeIn(text), text };
  };

  /** What a program of the person's sends to the route. */
  const plain = ({ method, path }: { readonly method: string; readonly path: string }): Sent =>
    method === "GET" ? { method, path } : { method, path, lines: json, body: "{}" };

  /** Sends a request to every route with more headers, and expects the same refusal from each. */
  const refuseAll = async (more: Lines, expected: string, but: (route: Route) => boolean = () => false) => {
    let tried = 0;
    for (const { route, ...target } of routes) {
      if (but(route)) continue;
      const { lines = [], ...rest } = plain(target);
      const { status, code } = await send({ ...rest, lines: [...lines, ...more] });
      const name = `${target.method} ${target.path} with ${more.join(" ")}`;
      expect(`${name}: ${status} ${code}`).to.equal(`${name}: ${expected}`);
      tried += 1;
    }
    expect(tried).to.be.above(80);
    expect(called).to.deep.equal([]);
  };

  it("X36 the same requests of the person's own programs reach the routes", async () => {
    let reached = 0;
    for (const { route, ...target } of routes) {
      const before = called.length;
      const { status, code, text } = await send(plain(target));
      if (called.length > before) reached += 1;
      else expect(status, `${target.method} ${target.path} ${text}`).to.equal(400);
      expect(`${code}`, route.path).not.to.match(/forbidden|media/);
    }
    expect(reached).to.be.above(60);
  });

  it("X36 a foreign, an empty and a second Host are refused on every route", async () => {
    for (const host of foreignHosts) await refuseAll(["Host", host], "403 forbidden_host");
    await refuseAll(["Host", own(), "Host", "evil.example"], "400 invalid_value");
    await refuseAll(["Host", "evil.example", "Host", own()], "400 invalid_value");
    await refuseAll(["Host", own(), "Host", own()], "400 invalid_value");
  }).timeout(60_000);

  it("X36 a foreign Origin, null and another port are refused on every route, with a token too", async () => {
    const { port } = new URL(stage.host.url);
    const strangers = [
      "https://evil.example",
      "null",
      "",
      "http://localhost:1",
      `http://127.0.0.1:${Number(port) - 1}`,
      `https://127.0.0.1:${port}`,
      `http://evil.example:${port}`,
    ];
    const bearer: Lines = ["Authorization", `Bearer ${token}`];
    for (const origin of strangers) {
      await refuseAll(["Origin", origin], "403 forbidden_origin");
      await refuseAll(["Origin", origin, "Sec-Fetch-Site", "same-origin"], "403 forbidden_origin");
      await refuseAll([...fromAfar, ...bearer, "Origin", origin], "403 forbidden_origin");
    }
    const isClosed = ({ scope }: Route): boolean => scope !== "open";
    for (const { route, ...target } of routes.filter(({ route }) => !isClosed(route))) {
      const { lines = [], ...rest } = plain(target);
      const { status } = await send({ ...rest, lines: [...lines, ...fromAfar, "Origin", "null"] });
      expect(`${route.path} ${status}`).to.equal(`${route.path} 403`);
    }
    expect(called).to.deep.equal([]);
  }).timeout(60_000);

  it("X36 a preflight and a HEAD of a foreign page are refused on every route, and where there is none", async () => {
    const origin = ["Origin", "https://evil.example"];
    for (const { method, path } of [...routes, { method: "GET", path: "/no/such/route" }]) {
      const lines = [...origin, "Access-Control-Request-Method", method];
      const { status, code } = await send({ method: "OPTIONS", path, lines });
      expect(`${path} ${status} ${code}`).to.equal(`${path} 403 forbidden_origin`);
      expect((await send({ method: "HEAD", path, lines: origin })).status, path).to.equal(403);
    }
    expect(called).to.deep.equal([]);
  });

  it("X36 what another site asks without an Origin is refused on every route", async () => {
    for (const site of foreignSites) await refuseAll(site, "403 forbidden_origin");
    const link = ["Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"];
    // Where a route yields to a page, the page answers.
    await refuseAll(link, "403 forbidden_origin", ({ page, yields }) => page === true || yields === true);
  }).timeout(60_000);

  it("X36 bodies that pages may send unasked are refused on every route", async () => {
    let tried = 0;
    for (const { route, ...target } of routes) {
      if (route.method === "GET" || takesAnyFile(route)) continue;
      // Its programs, which are no pages, may leave the type out.
      const page = route.takes === "untyped" ? ["Sec-Fetch-Site", "same-origin"] : [];
      for (const { what, lines, body } of simpleBodies) {
        const { status, code, text } = await send({ ...target, lines: [...lines, ...page], body });
        const name = `${target.method} ${target.path} with ${what}`;
        // The formats of others have errors of their own shape.
        expect(`${name}: ${status}`, text).to.equal(`${name}: 415`);
        if (route.failure === undefined) expect(code, name).to.equal("unsupported_media_type");
        tried += 1;
      }
    }
    expect(tried).to.be.above(300);
    expect(called).to.deep.equal([]);
  }).timeout(60_000);
});

/** The code of an error in the one shape: a message, a type and a code, and nothing unknown besides. */
function codeIn(text: string): string | undefined {
  try {
    const { error, ...others } = JSON.parse(text) as { error: Readonly<Record<string, unknown>> };
    const { message, type, code, param, details, ...unknown } = error;
    const isWhole = [message, type, code].every((one) => typeof one === "string" && one !== "");
    const isKnown = Object.keys({ ...others, ...unknown }).length === 0;
    return isWhole && isKnown && ["string", "undefined"].includes(typeof param) && typeof details !== "string"
      ? String(code)
      : undefined;
  } catch {
    return undefined;
  }
}
