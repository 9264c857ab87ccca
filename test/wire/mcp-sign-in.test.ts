import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { hour, SignInScene, type Server } from "../support/sign-in-scene.ts";
import { promised } from "../support/promised.ts";

describe("MCP servers that ask for a sign-in", function () {
  this.timeout(60_000);
  let scene: SignInScene;
  beforeEach(async () => {
    scene = await SignInScene.open();
  });
  afterEach(() => scene.end());

  it("show a link, take the browser back, and are used with the token", async () => {
    await scene.add();
    const waiting = await scene.check();
    expect(waiting, JSON.stringify(waiting)).to.include({ state: "sign_in", signedIn: false });
    expect(waiting.lastError).to.include("sign in");
    const link = new URL(waiting.signInUrl ?? "");
    const asked = Object.fromEntries(link.searchParams);
    expect(asked).to.include({
      client_id: "client-1",
      code_challenge_method: "S256",
      redirect_uri: `${scene.stage.host.url}/api/mcp/oauth/callback`,
      resource: scene.remote.url,
    });
    expect((await scene.shown())?.signInUrl).to.equal(link.href);
    expect(scene.remote.registrations).to.have.length(1);
    const back = await scene.page(await scene.visit(link.href));
    expect(back.status, back.text).to.equal(200);
    expect(back.headers["content-security-policy"]).to.include("default-src 'none'");
    expect(back.text).to.include("You are signed in: wiki");
    const after = await scene.shown();
    expect(after).to.include({ state: "ready", signedIn: true, signInUrl: null, lastError: null });
    expect(after?.tools.map(({ name }) => name)).to.deep.equal(["who"]);
    expect(scene.remote.tokenRequests[0]).to.include({
      grant_type: "authorization_code",
      resource: scene.remote.url,
    });
    await scene.start();
    expect(await scene.call()).to.include({ success: true, data: "known as access" });
    expect(scene.remote.tokenRequests).to.have.length(1);
  });

  it("count as being connected to until their tools are read", async () => {
    const [asked, mayList] = [promised(), promised()];
    scene.remote.rules.beforeListing = () => (asked.keep(), mayList.promise);
    await scene.add();
    const back = scene.page(await scene.visit((await scene.check()).signInUrl));
    await asked.promise;
    expect(await scene.shown()).to.include({ state: "connecting", signedIn: true });
    mayList.keep();
    expect((await back).status).to.equal(200);
    expect(await scene.shown()).to.include({ state: "ready", lastError: null });
  });

  it("are told who we are by a document, where the issuer reads one and the person has not named a client", async () => {
    const document = "https://example.org/pergola.json";
    await scene.start({ mcp: { client_metadata_url: document } });
    scene.remote.rules.takesAddresses = true;
    await scene.add();
    const clientOf = ({ signInUrl }: Server) => new URL(signInUrl ?? "").searchParams.get("client_id");
    const waiting = await scene.check();
    expect(clientOf(waiting)).to.equal(document);
    expect((await scene.page(await scene.visit(waiting.signInUrl))).status).to.equal(200);
    await scene.start();
    scene.ahead = hour;
    expect(await scene.call()).to.include({ success: true, data: "known as access" });
    expect(scene.remote.tokenRequests.map((one) => [one["grant_type"], one["client_id"]])).to.deep.equal([
      ["authorization_code", document],
      ["refresh_token", document],
    ]);
    expect(scene.remote.registrations).to.deep.equal([]);
    await scene.ask("POST", "/wiki/sign-out");
    await scene.ask("PATCH", "/wiki", { client_id: "by-hand" });
    expect(clientOf(await scene.check())).to.equal("by-hand");
  });

  it("register us where they read no document", async () => {
    await scene.start({ mcp: { client_metadata_url: "https://example.org/pergola.json" } });
    await scene.add();
    expect((await scene.check()).signInUrl).to.include("client_id=client-1");
    expect(scene.remote.registrations).to.have.length(1);
  });

  it("are used in the same way where they speak the revision 2026-07-28", async () => {
    scene.remote.rules.isStateless = true;
    await scene.add();
    expect(await scene.check()).to.include({ state: "sign_in", signedIn: false });
    expect((await scene.page(await scene.visit((await scene.check()).signInUrl))).status).to.equal(200);
    expect(await scene.shown()).to.include({ state: "ready", signedIn: true });
    await scene.start();
    expect(await scene.call()).to.include({ success: true, data: "known as access" });
    scene.remote.accepted.clear();
    expect(await scene.call()).to.include({ success: true, data: "known as access" });
  });

  it("take a state once, and no other", async () => {
    await scene.add();
    const back = await scene.visit((await scene.check()).signInUrl);
    const wrong = new URL(back);
    wrong.searchParams.set("state", "guessed");
    const refused = await scene.page(wrong);
    expect(refused.status).to.equal(400);
    expect(refused.text).to.include("check the server again");
    expect(scene.remote.tokenRequests).to.deep.equal([]);
    expect((await scene.page(back)).status).to.equal(200);
    expect((await scene.page(back)).status).to.equal(400);
    expect(scene.remote.tokenRequests).to.have.length(1);
    expect(await scene.shown()).to.include({ state: "ready", signedIn: true });
  });

  it("take no state that is too old, or that a later check has replaced", async () => {
    await scene.add();
    const first = await scene.visit((await scene.check()).signInUrl);
    const second = await scene.visit((await scene.check()).signInUrl);
    expect((await scene.page(first)).status).to.equal(400);
    scene.ahead = hour;
    expect((await scene.page(second)).status).to.equal(400);
    expect(await scene.shown()).to.include({ state: "sign_in", signInUrl: null });
    expect(scene.remote.tokenRequests).to.deep.equal([]);
  });

  it("are not trusted when somebody else answers, or the issuer calls itself otherwise", async () => {
    await scene.add();
    for (const iss of ["https://evil.example", ""]) {
      scene.remote.rules.iss = iss;
      const back = await scene.page(await scene.visit((await scene.check()).signInUrl));
      expect(back.status, iss).to.equal(400);
      expect(back.text).to.include("does not come from the issuer");
    }
    expect(scene.remote.tokenRequests).to.deep.equal([]);
    scene.remote.rules.issuer = "https://evil.example";
    const { state, lastError, signInUrl } = await scene.check();
    expect([state, signInUrl]).to.deep.equal(["failed", null]);
    expect(lastError).to.include("calls itself https://evil.example");
  });

  it("say what to do when the person denies, and when there is nowhere to sign in", async () => {
    await scene.add();
    scene.remote.rules.isDenied = true;
    const denied = await scene.signIn();
    expect(denied.status).to.equal(400);
    expect(denied.text).to.include("It was denied. Begin again");
    expect(await scene.shown()).to.include({ state: "failed", signedIn: false });
    scene.remote.rules.isDenied = false;
    scene.remote.rules.hasMetadata = false;
    expect((await scene.check()).lastError).to.include("set that as the server's token");
    scene.remote.rules.hasMetadata = true;
    expect((await scene.signIn()).status).to.equal(200);
  });

  it("get a client of the person's own where none can be registered", async () => {
    scene.remote.rules.canRegister = false;
    await scene.add();
    expect((await scene.check()).lastError).to.include("dynamic client registration");
    const changed = await scene.ask("PATCH", "/wiki", {
      client_id: "mine",
      client_secret: "the secret of mine",
    });
    expect(changed.secrets).to.deep.equal(["client_secret"]);
    expect((await scene.signIn()).status).to.equal(200);
    expect(scene.remote.registrations).to.deep.equal([]);
    expect(scene.remote.tokenRequests[0]).to.include({
      client_id: "mine",
      client_secret: "the secret of mine",
    });
    expect(await scene.shown()).to.include({ state: "ready" });
  });

  it("can be finished after a restart, and once", async () => {
    await scene.add();
    const back = await scene.visit((await scene.check()).signInUrl);
    await scene.start();
    expect(await scene.shown()).to.include({ state: "sign_in", signedIn: false });
    expect((await scene.shown())?.signInUrl).to.include(scene.remote.url.replace("/mcp", "/authorize"));
    const here = new URL(back.pathname + back.search, scene.stage.host.url);
    expect((await scene.page(here)).text).to.include("You are signed in: wiki");
    expect(await scene.shown()).to.include({ state: "ready", signedIn: true });
    await scene.start();
    expect((await scene.page(new URL(back.pathname + back.search, scene.stage.host.url))).status).to.equal(
      400,
    );
    expect(await scene.shown()).to.include({ signInUrl: null, signedIn: true });
  });

  it("are not finished with a state that was taken before a restart", async () => {
    await scene.add();
    scene.remote.rules.isDenied = true;
    const denied = await scene.visit((await scene.check()).signInUrl);
    expect((await scene.page(denied)).status).to.equal(400);
    await scene.start();
    const again = await scene.page(new URL(denied.pathname + denied.search, scene.stage.host.url));
    expect(again.text).to.include("used already");
  });

  it("name the other name of this computer where the issuer goes by that", async () => {
    await scene.add();
    scene.remote.rules.issuer = new URL(scene.remote.url).origin.replace("127.0.0.1", "localhost");
    expect((await scene.check()).lastError).to.include("write localhost in place of 127.0.0.1");
  });

  it("send a token of their own and nothing else", async () => {
    await scene.add({ token: "a token of mine" });
    const { state, signInUrl } = await scene.check();
    expect([state, signInUrl]).to.deep.equal(["failed", null]);
    expect(new Set(scene.remote.authorizations)).to.deep.equal(new Set(["Bearer a token of mine"]));
  });

  it("are asked nowhere but on their own private address", async () => {
    const met: (string | undefined)[] = [];
    const canary = createServer(({ url }, response) => {
      met.push(url);
      response.end("{}");
    }).listen(0, "127.0.0.1");
    await once(canary, "listening");
    scene.remote.rules.resourceMetadata = `http://127.0.0.1:${(canary.address() as AddressInfo).port}/where`;
    scene.remote.rules.hasMetadata = false;
    await scene.add();
    expect(await scene.check()).to.include({ state: "failed", signInUrl: null });
    canary.close().closeAllConnections();
    expect(met).to.deep.equal([]);
  });
});
