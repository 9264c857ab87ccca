import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import type { Stage } from "../support/host.ts";
import { calling, openLab, outcomesOf, play, saying } from "../support/lab-stage.ts";
import { openOAuthMcpServer, type OAuthMcpServer } from "../support/oauth-mcp-server.ts";
import { promised } from "../support/promised.ts";

interface Server {
  readonly state: string;
  readonly lastError: string | null;
  readonly signInUrl: string | null;
  readonly signedIn: boolean;
  readonly secrets: readonly string[];
  readonly tools: readonly { readonly name: string }[];
}

/** Of a clock that tests put forward. */
const hour = 3_600_000;

describe("MCP servers that ask for a sign-in", function () {
  this.timeout(60_000);
  let remote: OAuthMcpServer;
  let stage: Stage;
  let folder: string;
  let ahead: number;
  const start = async (settings: object = {}): Promise<void> => {
    stage = await openLab([], {
      dataDirectory: folder,
      clock: { now: () => Date.now() + ahead },
      settings: { storage: { type: "sqlite" }, "secrets.store": "file", ...settings },
    });
  };
  beforeEach(async () => {
    [folder, ahead] = [temporaryFolder(), 0];
    remote = await openOAuthMcpServer();
    await start();
  });
  afterEach(async () => {
    await stage.end();
    remote.close();
  });

  const ask = async (method: string, route: string, body?: object) =>
    (await stage.host.json<Server>(method, `/api/mcp/servers${route}`, body)).body;
  const add = (more: object = {}) =>
    ask("POST", "", { name: "wiki", url: remote.url, effects: { who: "read" }, ...more });
  const check = () => ask("POST", "/wiki/check");
  const shown = async () =>
    (await stage.host.json<{ servers: readonly Server[] }>("GET", "/api/mcp/servers")).body.servers[0];
  /** Follows a link to sign in up to the address to which the browser is sent back. */
  const visit = async (link: string | null): Promise<URL> => {
    const { headers, status } = await fetch(link ?? "", { redirect: "manual" });
    expect(status).to.equal(302);
    return new URL(headers.get("location") ?? "");
  };
  /** As a browser does that another site sends here; `fetch` would not send these headers. */
  const page = async (url: URL) => {
    const headers = {
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": "document",
    };
    const [answer] = (await once(get(url, { headers }), "response")) as [IncomingMessage];
    return { status: answer.statusCode, headers: answer.headers, text: await text(answer) };
  };
  const signIn = async () => page(await visit((await check()).signInUrl));
  const call = async () => {
    const { body } = await play(stage, [
      calling({ name: "mcp_wiki", arguments: { operation: "who" } }),
      saying("Done."),
    ]);
    return (await outcomesOf(stage.host, body.service_metadata.conversation_id))[0];
  };
  const restart = async (): Promise<void> => {
    await stage.end();
    await start();
  };
  const storedTexts = (): string =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), "latin1"))
      .join("\n");

  it("show a link, take the browser back, and are used with the token", async () => {
    await add();
    const waiting = await check();
    expect(waiting, JSON.stringify(waiting)).to.include({ state: "sign_in", signedIn: false });
    expect(waiting.lastError).to.include("sign in");
    const link = new URL(waiting.signInUrl ?? "");
    const asked = Object.fromEntries(link.searchParams);
    expect(asked).to.include({
      client_id: "client-1",
      code_challenge_method: "S256",
      redirect_uri: `${stage.host.url}/api/mcp/oauth/callback`,
      resource: remote.url,
    });
    expect((await shown())?.signInUrl).to.equal(link.href);
    expect(remote.registrations).to.have.length(1);
    const back = await page(await visit(link.href));
    expect(back.status, back.text).to.equal(200);
    expect(back.headers["content-security-policy"]).to.include("default-src 'none'");
    expect(back.text).to.include("You are signed in: wiki");
    const after = await shown();
    expect(after).to.include({ state: "ready", signedIn: true, signInUrl: null, lastError: null });
    expect(after?.tools.map(({ name }) => name)).to.deep.equal(["who"]);
    expect(remote.tokenRequests[0]).to.include({ grant_type: "authorization_code", resource: remote.url });
    await restart();
    expect(await call()).to.include({ success: true, data: "known as access" });
    expect(remote.tokenRequests).to.have.length(1);
  });

  it("count as being connected to until their tools are read", async () => {
    const [asked, mayList] = [promised(), promised()];
    remote.rules.beforeListing = () => (asked.keep(), mayList.promise);
    await add();
    const back = page(await visit((await check()).signInUrl));
    await asked.promise;
    expect(await shown()).to.include({ state: "connecting", signedIn: true });
    mayList.keep();
    expect((await back).status).to.equal(200);
    expect(await shown()).to.include({ state: "ready", lastError: null });
  });

  it("are told who we are by a document, where the issuer reads one and the person has not named a client", async () => {
    const document = "https://example.org/pergola.json";
    await stage.end();
    await start({ mcp: { client_metadata_url: document } });
    remote.rules.takesAddresses = true;
    await add();
    const clientOf = ({ signInUrl }: Server) => new URL(signInUrl ?? "").searchParams.get("client_id");
    const waiting = await check();
    expect(clientOf(waiting)).to.equal(document);
    expect((await page(await visit(waiting.signInUrl))).status).to.equal(200);
    await restart();
    ahead = hour;
    expect(await call()).to.include({ success: true, data: "known as access" });
    expect(remote.tokenRequests.map((one) => [one["grant_type"], one["client_id"]])).to.deep.equal([
      ["authorization_code", document],
      ["refresh_token", document],
    ]);
    expect(remote.registrations).to.deep.equal([]);
    await ask("POST", "/wiki/sign-out");
    await ask("PATCH", "/wiki", { client_id: "by-hand" });
    expect(clientOf(await check())).to.equal("by-hand");
  });

  it("register us where they read no document", async () => {
    await stage.end();
    await start({ mcp: { client_metadata_url: "https://example.org/pergola.json" } });
    await add();
    expect((await check()).signInUrl).to.include("client_id=client-1");
    expect(remote.registrations).to.have.length(1);
  });

  it("are used in the same way where they speak the revision 2026-07-28", async () => {
    remote.rules.isStateless = true;
    await add();
    expect(await check()).to.include({ state: "sign_in", signedIn: false });
    expect((await page(await visit((await check()).signInUrl))).status).to.equal(200);
    expect(await shown()).to.include({ state: "ready", signedIn: true });
    await restart();
    expect(await call()).to.include({ success: true, data: "known as access" });
    remote.accepted.clear();
    expect(await call()).to.include({ success: true, data: "known as access" });
  });

  it("leave their tokens in no listing, file or log in clear", async () => {
    await add();
    await signIn();
    await restart();
    expect(await call()).to.include({ success: true });
    const [token = ""] = remote.accepted;
    expect(token).to.match(/^access-/);
    for (const where of [JSON.stringify(await shown()), storedTexts()]) {
      expect(where).not.to.include(token);
      expect(where).not.to.include("refresh-");
    }
    expect(existsSync(path.join(folder, "secrets.json"))).to.equal(true);
  });

  it("take a state once, and no other", async () => {
    await add();
    const back = await visit((await check()).signInUrl);
    const wrong = new URL(back);
    wrong.searchParams.set("state", "guessed");
    const refused = await page(wrong);
    expect(refused.status).to.equal(400);
    expect(refused.text).to.include("check the server again");
    expect(remote.tokenRequests).to.deep.equal([]);
    expect((await page(back)).status).to.equal(200);
    expect((await page(back)).status).to.equal(400);
    expect(remote.tokenRequests).to.have.length(1);
    expect(await shown()).to.include({ state: "ready", signedIn: true });
  });

  it("take no state that is too old, or that a later check has replaced", async () => {
    await add();
    const first = await visit((await check()).signInUrl);
    const second = await visit((await check()).signInUrl);
    expect((await page(first)).status).to.equal(400);
    ahead = hour;
    expect((await page(second)).status).to.equal(400);
    expect(await shown()).to.include({ state: "sign_in", signInUrl: null });
    expect(remote.tokenRequests).to.deep.equal([]);
  });

  it("are not trusted when somebody else answers, or the issuer calls itself otherwise", async () => {
    await add();
    for (const iss of ["https://evil.example", ""]) {
      remote.rules.iss = iss;
      const back = await page(await visit((await check()).signInUrl));
      expect(back.status, iss).to.equal(400);
      expect(back.text).to.include("does not come from the issuer");
    }
    expect(remote.tokenRequests).to.deep.equal([]);
    remote.rules.issuer = "https://evil.example";
    const { state, lastError, signInUrl } = await check();
    expect([state, signInUrl]).to.deep.equal(["failed", null]);
    expect(lastError).to.include("calls itself https://evil.example");
  });

  it("say what to do when the person denies, and when there is nowhere to sign in", async () => {
    await add();
    remote.rules.isDenied = true;
    const denied = await signIn();
    expect(denied.status).to.equal(400);
    expect(denied.text).to.include("It was denied. Begin again");
    expect(await shown()).to.include({ state: "failed", signedIn: false });
    remote.rules.isDenied = false;
    remote.rules.hasMetadata = false;
    expect((await check()).lastError).to.include("set that as the server's token");
    remote.rules.hasMetadata = true;
    expect((await signIn()).status).to.equal(200);
  });

  it("get a client of the person's own where none can be registered", async () => {
    remote.rules.canRegister = false;
    await add();
    expect((await check()).lastError).to.include("dynamic client registration");
    const changed = await ask("PATCH", "/wiki", { client_id: "mine", client_secret: "the secret of mine" });
    expect(changed.secrets).to.deep.equal(["client_secret"]);
    expect((await signIn()).status).to.equal(200);
    expect(remote.registrations).to.deep.equal([]);
    expect(remote.tokenRequests[0]).to.include({ client_id: "mine", client_secret: "the secret of mine" });
    expect(await shown()).to.include({ state: "ready" });
  });

  it("have their token renewed before it ends, and when it is not taken any more", async () => {
    await add();
    await signIn();
    await restart();
    ahead = hour - 30_000;
    expect(await call()).to.include({ success: true });
    expect(remote.tokenRequests.map((one) => one["grant_type"])).to.deep.equal([
      "authorization_code",
      "refresh_token",
    ]);
    remote.accepted.clear();
    expect(await call()).to.include({ success: true });
    expect(remote.tokenRequests).to.have.length(3);
  });

  it("ask for another sign-in when the renewal is refused", async () => {
    await add();
    await signIn();
    await restart();
    remote.rules.refreshes = false;
    remote.accepted.clear();
    const refused = await call();
    expect(refused).to.include({ success: false, error_code: "unavailable" });
    expect(JSON.stringify(refused)).to.include("sign in");
    expect(await shown()).to.include({ state: "sign_in", signedIn: false });
    expect((await signIn()).status).to.equal(200);
    expect(await call()).to.include({ success: true });
  });

  it("ask for a wider sign-in where the token does not allow enough", async () => {
    await add();
    await signIn();
    remote.rules.scope = "wiki:write";
    const { state, signInUrl } = await check();
    expect(state).to.equal("sign_in");
    expect(new URL(signInUrl ?? "").searchParams.get("scope")).to.equal("wiki:write");
    expect((await page(await visit(signInUrl))).status).to.equal(200);
    expect(await shown()).to.include({ state: "ready", lastError: null });
  });

  it("lose their tokens with a sign-out, and with their entry", async () => {
    await add();
    await signIn();
    expect(await ask("POST", "/wiki/sign-out")).to.include({ signedIn: false });
    expect(await check()).to.include({ state: "sign_in" });
    await signIn();
    const names = (): string => readFileSync(path.join(folder, "secrets.json"), "utf8");
    expect(names()).to.include("mcp.wiki.oauth");
    await ask("DELETE", "/wiki");
    expect(names()).not.to.include("mcp.wiki.oauth");
  });

  it("can be finished after a restart, and once", async () => {
    await add();
    const back = await visit((await check()).signInUrl);
    await restart();
    expect(await shown()).to.include({ state: "sign_in", signedIn: false });
    expect((await shown())?.signInUrl).to.include(remote.url.replace("/mcp", "/authorize"));
    const here = new URL(back.pathname + back.search, stage.host.url);
    expect((await page(here)).text).to.include("You are signed in: wiki");
    expect(await shown()).to.include({ state: "ready", signedIn: true });
    await restart();
    expect((await page(new URL(back.pathname + back.search, stage.host.url))).status).to.equal(400);
    expect(await shown()).to.include({ signInUrl: null, signedIn: true });
  });

  it("are not finished with a state that was taken before a restart", async () => {
    await add();
    remote.rules.isDenied = true;
    const denied = await visit((await check()).signInUrl);
    expect((await page(denied)).status).to.equal(400);
    await restart();
    const again = await page(new URL(denied.pathname + denied.search, stage.host.url));
    expect(again.text).to.include("used already");
  });

  const outcomes = async () => {
    const { body } = await stage.host.json<{ entries: readonly { action: string; outcome: string }[] }>(
      "GET",
      "/api/audit",
    );
    const own = body.entries.filter(({ action }) => action === "mcp_server.sign_in");
    return own.map(({ outcome }) => outcome);
  };

  it("give their tokens back to the issuer with a sign-out, even after a restart, and with their entry", async () => {
    remote.rules.revocation = 200;
    await add();
    await signIn();
    await restart();
    await ask("POST", "/wiki/sign-out");
    expect(remote.revocations.map((one) => [one["token_type_hint"], one["client_id"]])).to.deep.equal([
      ["refresh_token", "client-1"],
      ["access_token", "client-1"],
    ]);
    expect(remote.accepted.size).to.equal(0);
    expect(await outcomes()).to.include("signed out");
    await check();
    await signIn();
    await ask("DELETE", "/wiki");
    expect(remote.revocations).to.have.length(4);
  });

  it("are signed out here where the issuer does not take the tokens back", async () => {
    remote.rules.revocation = 503;
    await add({ client_id: "mine", client_secret: "the secret of mine" });
    await signIn();
    expect(await ask("POST", "/wiki/sign-out")).to.include({ signedIn: false });
    expect(remote.revocations[0]).to.include({ client_id: "mine", client_secret: "the secret of mine" });
    expect((await outcomes()).join()).to.include("the issuer did not take the tokens back");
    expect(await check()).to.include({ state: "sign_in" });
  });

  it("name the other name of this computer where the issuer goes by that", async () => {
    await add();
    remote.rules.issuer = new URL(remote.url).origin.replace("127.0.0.1", "localhost");
    expect((await check()).lastError).to.include("write localhost in place of 127.0.0.1");
  });

  it("send a token of their own and nothing else", async () => {
    await add({ token: "a token of mine" });
    const { state, signInUrl } = await check();
    expect([state, signInUrl]).to.deep.equal(["failed", null]);
    expect(new Set(remote.authorizations)).to.deep.equal(new Set(["Bearer a token of mine"]));
  });

  it("are asked nowhere but on their own private address", async () => {
    const met: (string | undefined)[] = [];
    const canary = createServer(({ url }, response) => {
      met.push(url);
      response.end("{}");
    }).listen(0, "127.0.0.1");
    await once(canary, "listening");
    remote.rules.resourceMetadata = `http://127.0.0.1:${(canary.address() as AddressInfo).port}/where`;
    remote.rules.hasMetadata = false;
    await add();
    expect(await check()).to.include({ state: "failed", signInUrl: null });
    canary.close().closeAllConnections();
    expect(met).to.deep.equal([]);
  });
});
