import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { hour, SignInScene } from "../support/sign-in-scene.ts";

describe("tokens of a sign-in with an MCP server", function () {
  this.timeout(60_000);
  let scene: SignInScene;
  beforeEach(async () => {
    scene = await SignInScene.open();
  });
  afterEach(() => scene.end());

  it("leave their tokens in no listing, file or log in clear", async () => {
    await scene.add();
    await scene.signIn();
    await scene.start();
    expect(await scene.call()).to.include({ success: true });
    const [token = ""] = scene.remote.accepted;
    expect(token).to.match(/^access-/);
    for (const where of [JSON.stringify(await scene.shown()), scene.storedTexts()]) {
      expect(where).not.to.include(token);
      expect(where).not.to.include("refresh-");
    }
    expect(existsSync(path.join(scene.folder, "secrets.json"))).to.equal(true);
  });

  it("have their token renewed before it ends, and when it is not taken any more", async () => {
    await scene.add();
    await scene.signIn();
    await scene.start();
    scene.ahead = hour - 30_000;
    expect(await scene.call()).to.include({ success: true });
    expect(scene.remote.tokenRequests.map((one) => one["grant_type"])).to.deep.equal([
      "authorization_code",
      "refresh_token",
    ]);
    scene.remote.accepted.clear();
    expect(await scene.call()).to.include({ success: true });
    expect(scene.remote.tokenRequests).to.have.length(3);
  });

  it("ask for another sign-in when the renewal is refused", async () => {
    await scene.add();
    await scene.signIn();
    await scene.start();
    scene.remote.rules.refreshes = false;
    scene.remote.accepted.clear();
    const refused = await scene.call();
    expect(refused).to.include({ success: false, error_code: "unavailable" });
    expect(JSON.stringify(refused)).to.include("sign in");
    expect(await scene.shown()).to.include({ state: "sign_in", signedIn: false });
    expect((await scene.signIn()).status).to.equal(200);
    expect(await scene.call()).to.include({ success: true });
  });

  it("ask for a wider sign-in where the token does not allow enough", async () => {
    await scene.add();
    await scene.signIn();
    scene.remote.rules.scope = "wiki:write";
    const { state, signInUrl } = await scene.check();
    expect(state).to.equal("sign_in");
    expect(new URL(signInUrl ?? "").searchParams.get("scope")).to.equal("wiki:write");
    expect((await scene.page(await scene.visit(signInUrl))).status).to.equal(200);
    expect(await scene.shown()).to.include({ state: "ready", lastError: null });
  });

  it("lose their tokens with a sign-out, and with their entry", async () => {
    await scene.add();
    await scene.signIn();
    expect(await scene.ask("POST", "/wiki/sign-out")).to.include({ signedIn: false });
    expect(await scene.check()).to.include({ state: "sign_in" });
    await scene.signIn();
    const names = (): string => readFileSync(path.join(scene.folder, "secrets.json"), "utf8");
    expect(names()).to.include("mcp.wiki.oauth");
    await scene.ask("DELETE", "/wiki");
    expect(names()).not.to.include("mcp.wiki.oauth");
  });

  const outcomes = async () => {
    const { body } = await scene.stage.host.json<{ entries: readonly { action: string; outcome: string }[] }>(
      "GET",
      "/api/audit",
    );
    const own = body.entries.filter(({ action }) => action === "mcp_server.sign_in");
    return own.map(({ outcome }) => outcome);
  };

  it("give their tokens back to the issuer with a sign-out, even after a restart, and with their entry", async () => {
    scene.remote.rules.revocation = 200;
    await scene.add();
    await scene.signIn();
    await scene.start();
    await scene.ask("POST", "/wiki/sign-out");
    expect(scene.remote.revocations.map((one) => [one["token_type_hint"], one["client_id"]])).to.deep.equal([
      ["refresh_token", "client-1"],
      ["access_token", "client-1"],
    ]);
    expect(scene.remote.accepted.size).to.equal(0);
    expect(await outcomes()).to.include("signed out");
    await scene.check();
    await scene.signIn();
    await scene.ask("DELETE", "/wiki");
    expect(scene.remote.revocations).to.have.length(4);
  });

  it("are signed out here where the issuer does not take the tokens back", async () => {
    scene.remote.rules.revocation = 503;
    await scene.add({ client_id: "mine", client_secret: "the secret of mine" });
    await scene.signIn();
    expect(await scene.ask("POST", "/wiki/sign-out")).to.include({ signedIn: false });
    expect(scene.remote.revocations[0]).to.include({
      client_id: "mine",
      client_secret: "the secret of mine",
    });
    expect((await outcomes()).join()).to.include("the issuer did not take the tokens back");
    expect(await scene.check()).to.include({ state: "sign_in" });
  });
});
