import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import type { Stage } from "../support/host.ts";
import { openOAuthMcpServer, type OAuthMcpServer } from "../support/oauth-mcp-server.ts";
import { addToken, openDoorStage } from "./door-scene.ts";

interface Server {
  readonly state: string;
  readonly lastError: string | null;
  readonly signInUrl: string | null;
  readonly signedIn: boolean;
}

const callback = "/api/mcp/oauth/callback";

/** As a reverse proxy sends on what came to it under this name. */
const through = (name: string, scheme: string) => ({ Host: name, "X-Forwarded-Proto": scheme });

describe("a sign-in at an MCP server that is begun on another computer", function () {
  this.timeout(30_000);
  let remote: OAuthMcpServer;
  let stage: Stage;
  let token: string;
  beforeEach(async () => {
    remote = await openOAuthMcpServer();
    const settings = { "server.allowed_hosts": ["home.example"], "secrets.store": "file" };
    stage = await openDoorStage({ settings });
    token = (await addToken(stage.host, "laptop", { scopes: ["read", "admin"] })).secret;
    await stage.host.json("POST", "/api/mcp/servers", { name: "wiki", url: remote.url });
  });
  afterEach(async () => {
    await stage.end();
    remote.close();
  });

  /** `fetch` would send neither these names nor what a browser says of itself. */
  const send = async (method: string, target: string, headers: Readonly<Record<string, string>>) => {
    const url = new URL(target, stage.host.url);
    const sent = { "x-forwarded-for": "203.0.113.9", ...headers };
    const [answer] = (await once(request(url, { method, headers: sent }).end(), "response")) as [
      IncomingMessage,
    ];
    return { status: answer.statusCode, text: await text(answer) };
  };
  const check = async (name: string, scheme: string): Promise<Server> => {
    const headers = { ...through(name, scheme), authorization: `Bearer ${token}` };
    return JSON.parse((await send("POST", "/api/mcp/servers/wiki/check", headers)).text) as Server;
  };
  /** The browser of that computer, which has no token of Pergola's. */
  const comeBack = ({ pathname, search }: URL, name: string) =>
    send("GET", pathname + search, {
      ...through(name, "https"),
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": "document",
    });
  const visit = async (link: string | null): Promise<URL> => {
    const { headers } = await fetch(link ?? "", { redirect: "manual" });
    return new URL(headers.get("location") ?? "");
  };

  for (const name of ["home.example", "home.example:8443"])
    it(`comes back to https://${name}, by which it was begun`, async () => {
      const { state, signInUrl } = await check(name, "https");
      expect(state).to.equal("sign_in");
      const back = await visit(signInUrl);
      expect(back.origin + back.pathname).to.equal(`https://${name}${callback}`);
      const { status, text: shown } = await comeBack(back, name);
      expect([status, shown.includes("You are signed in: wiki")]).to.deep.equal([200, true]);
      expect(remote.tokenRequests[0]?.["redirect_uri"]).to.equal(`https://${name}${callback}`);
      expect((await comeBack(back, name)).status).to.equal(400);
    });

  it("does not begin over plain http, nor where nobody says by which name it was begun", async () => {
    const { signInUrl, lastError } = await check("home.example", "http");
    expect(signInUrl).to.equal(null);
    expect(lastError).to.include("You have come over plain http");
    const nameless = await check(new URL(stage.host.url).host, "https");
    expect([nameless.signInUrl, nameless.lastError]).to.deep.equal([
      null,
      "No sign-in is possible: The proxy does not say by which name you have come: let it send on the Host " +
        "header, or sign in on the computer of the service.",
    ]);
    expect(remote.registrations).to.deep.equal([]);
  });
});
