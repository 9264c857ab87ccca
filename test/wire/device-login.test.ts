import { expect } from "chai";
import {
  chatReply,
  jsonReply,
  mockProviderServer,
  type MockProviderServer,
  type MockReply,
} from "@pergola/sdk/testing";
import { chat, user } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { recordingLog } from "../support/recording-log.ts";
import { verifies } from "../support/verifies.ts";

interface Provider {
  readonly id: string;
  readonly status: string;
  readonly lastError: string | null;
}

const login = "gho_canary0123456789abcdef";
const model = "github_copilot/gpt-5";

describe("a device login", () => {
  let vendor: MockProviderServer;
  let stage: Stage;
  const log = recordingLog();
  const answers: Record<string, MockReply> = {
    "/login/device/code": jsonReply({
      device_code: "canary-device",
      user_code: "ABCD-1234",
      verification_uri: "https://github.com/login/device",
      expires_in: 900,
      interval: 0.01,
    }),
    "/login/oauth/access_token": jsonReply({ error: "authorization_pending" }),
    "/api/v3/copilot_internal/v2/token": jsonReply({ token: "tid=canary;sku=free", refresh_in: 1500 }),
    "/api/v3/copilot_internal/user": jsonReply({
      login: "ada",
      quota_snapshots: { premium_interactions: { entitlement: 300, remaining: 270, percent_remaining: 90 } },
    }),
  };

  before(async () => {
    let turns = 0;
    const turn = () =>
      (turns += 1) % 2 === 1
        ? chatReply({ toolCalls: [{ name: "think", arguments: { thoughts: "hm" } }] })
        : chatReply({ text: "Done." });
    vendor = await mockProviderServer(
      ({ path }) =>
        answers[path] ?? (path === "/v1/chat/completions" ? turn() : jsonReply({}, { status: 404 })),
      {
        models: [{ id: "gpt-5", capabilities: { supports: { tool_calls: true } } }],
      },
    );
    const copilot = {
      type: "github_copilot",
      id: "copilot",
      base_url: vendor.baseUrl,
      github_url: vendor.url,
    };
    const settings = {
      storage: { type: "sqlite" },
      "providers.list": [copilot],
      default_model: model,
      "log.level": "debug",
    };
    stage = await openStage(undefined, { settings, log });
  });
  after(async () => {
    await stage.end();
    await vendor.close();
  });

  const copilot = async () => {
    const { body } = await stage.host.json<{ readonly providers: readonly Provider[] }>(
      "GET",
      "/api/providers",
    );
    return body.providers.find(({ id }) => id === "copilot");
  };
  const asked = (path: string) => vendor.requests.filter((request) => request.path === path);

  verifies("providers:device-login", "is asked for where there is none", async () => {
    const { status, body } = await chat(stage, { model, messages: [user("Hello")] });
    expect([status, body.error.code]).to.deep.equal([502, "provider_auth_failed"]);
    expect(await copilot())
      .to.include({ status: "error" })
      .and.to.have.property("lastError")
      .that.includes("login");
    expect(
      (await stage.host.json<Record<string, unknown>>("GET", "/api/github-copilot/quota")).body,
    ).to.include({ available: false });
  });

  verifies(
    ["providers:login", "providers:device-login"],
    "answers with the code, and lets the models in once it is entered",
    async () => {
      const { status, body } = await stage.host.json("POST", "/api/providers/copilot/login");
      expect(status).to.equal(200);
      expect(body).to.deep.equal({
        userCode: "ABCD-1234",
        verificationUri: "https://github.com/login/device",
        expiresIn: 900,
      });
      answers["/login/oauth/access_token"] = jsonReply({ access_token: login });
      while (asked("/api/v3/copilot_internal/v2/token").length === 0)
        await new Promise((resolve) => setTimeout(resolve, 5));
      await stage.host.restart();
      const answer = await chat(stage, { model, messages: [user("Hello")] });
      expect(answer.body.choices[0]?.message.content).to.equal("Done.");
      expect(await copilot()).to.include({ status: "ok", lastError: null });
      expect(asked("/v1/chat/completions")[0]?.headers).to.include({
        authorization: "Bearer tid=canary;sku=free",
      });
    },
  );

  verifies("providers:initiator", "tells the vendor who asks: the person first, then the loop", () => {
    expect(asked("/v1/chat/completions").map(({ headers }) => headers["x-initiator"])).to.deep.equal([
      "user",
      "agent",
    ]);
  });

  verifies("providers:quota", "gives the subscription's quota, by either path", async () => {
    for (const path of ["/api/providers/copilot/quota", "/api/github-copilot/quota?refresh=true"]) {
      const { body } = await stage.host.json<Record<string, unknown>>("GET", path);
      expect(body).to.deep.include({
        available: true,
        source: "github-copilot",
        login: "ada",
        entitlement: 300,
        used: 30,
        percentUsed: 10,
      });
    }
    expect(asked("/api/v3/copilot_internal/user")).to.have.lengthOf(2);
  });

  verifies("providers:device-login", "shows its tokens in no answer and no log", async () => {
    const pages = await Promise.all(
      ["/api/providers", "/api/models", "/api/preferences", "/v1/conversations", "/api/runs"].map(
        async (path) => (await stage.host.request("GET", path)).text(),
      ),
    );
    expect(pages.join("") + JSON.stringify(log)).to.not.match(/canary/);
  });

  verifies(
    "providers:device-login",
    "sends what the login gave to GitHub, and what was made of it to the vendor, never the other way",
    () => {
      const models = vendor.requests.filter(({ path }) => path.startsWith("/v1/"));
      const github = vendor.requests.filter(({ path }) => path.startsWith("/api/v3/"));
      expect(models.length * github.length).to.be.above(0);
      expect(JSON.stringify(models.map(({ headers }) => headers))).to.not.include(login);
      expect(JSON.stringify(github.map(({ headers }) => headers))).to.not.include("tid=");
    },
  );
});
