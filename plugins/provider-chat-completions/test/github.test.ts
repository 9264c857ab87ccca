import { expect } from "chai";
import type { Provider } from "@pergola/sdk";
import { jsonReply, mockProviderServer } from "@pergola/sdk/testing";
import plugin from "../index.ts";
import { chatPath, github, never, Vendor } from "./github-vendor.ts";
import { ask, open, user } from "./support.ts";

describe("github-copilot", () => {
  let vendor: Vendor;
  beforeEach(async () => {
    vendor = await Vendor.start();
  });
  afterEach(() => vendor.server.close());

  describe("its requests", () => {
    it("tell who asked, and whether there are pictures, beside the editor and the version", async () => {
      const provider = await vendor.open({ github });
      const image = { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } } as const;
      await ask(provider, { initiator: "agent" });
      await ask(provider, { initiator: "user", messages: [user([{ type: "text", text: "What?" }, image])] });
      await ask(provider);
      const [agent, pictures, unsaid] = vendor.asked(chatPath).map(({ headers }) => headers);
      expect(agent).to.include({
        "x-initiator": "agent",
        "copilot-integration-id": "vscode-chat",
        "x-github-api-version": "2025-05-01",
      });
      expect(agent).to.have.property("editor-version");
      expect(agent).to.not.have.property("copilot-vision-request");
      expect(pictures).to.include({ "x-initiator": "user", "copilot-vision-request": "true" });
      expect(unsaid).to.include({ "x-initiator": "user" });
    });

    it("let the person's own headers win", async () => {
      await ask(await vendor.open({ github }, { headers: { "Editor-Version": "mine/1" } }));
      expect(vendor.asked(chatPath)[0]?.headers).to.include({ "editor-version": "mine/1" });
    });

    it("list models with what the vendor tells of them, without those that are off", async () => {
      const entry = (id: string, more: object = {}) => ({ id, vendor: "OpenAI", object: "model", ...more });
      const capabilities = {
        family: "gpt-5",
        type: "chat",
        limits: { max_context_window_tokens: 264_000, max_output_tokens: 64_000 },
        supports: { tool_calls: true, vision: true },
      };
      const models = [
        entry("gpt-5", { capabilities, policy: { state: "enabled" } }),
        entry("off", { capabilities, policy: { state: "disabled" } }),
        entry("completes", { capabilities: { type: "completion" } }),
        entry("text-embedding-3-small", { capabilities: { type: "embeddings" } }),
      ];
      const listing = await mockProviderServer([], { models });
      const provider = await open("github-copilot", { baseUrl: listing.baseUrl });
      const facts = {
        contextWindow: 264_000,
        maxOutputTokens: 64_000,
        supportsTools: true,
        supportsVision: true,
        supportsThinking: true,
        vendor: "OpenAI",
        family: "gpt-5",
      };
      expect(await provider.listModels(never())).to.deep.equal([
        { id: "gpt-5", ...facts },
        { id: "text-embedding-3-small", kind: "embedding", vendor: "OpenAI" },
      ]);
      await listing.close();
    });
  });

  describe("its quota", () => {
    const quotaPath = "/api/v3/copilot_internal/user";
    const snapshot = {
      entitlement: 300,
      remaining: 240,
      quota_remaining: 240.4,
      percent_remaining: 80.13,
      overage_count: 2,
      overage_permitted: true,
      unlimited: false,
    };
    const paid = {
      login: "ada",
      copilot_plan: "individual",
      quota_reset_date: "2026-12-01",
      quota_snapshots: { premium_interactions: snapshot },
    };
    const quotaOf = async (provider: Provider, refresh = false) => provider.quota?.({ refresh }, never());

    it("is that of the premium requests of a subscription", async () => {
      vendor.answers[quotaPath] = jsonReply(paid);
      expect(await quotaOf(await vendor.open({ github }))).to.deep.equal({
        available: true,
        source: "github-copilot",
        login: "ada",
        plan: "individual",
        entitlement: 300,
        used: 59.6,
        remaining: 240.4,
        percentUsed: 19.9,
        percentRemaining: 80.1,
        overageCount: 2,
        overagePermitted: true,
        unlimited: false,
        resetDate: "2026-12-01T00:00:00.000Z",
      });
    });

    it("is that of a month's chats where it is free", async () => {
      const free = {
        copilot_plan: "individual",
        limited_user_quotas: { chat: 410 },
        monthly_quotas: { chat: 500 },
        limited_user_reset_date: "2026-12-11",
      };
      vendor.answers[quotaPath] = jsonReply(free);
      expect(await quotaOf(await vendor.open({ github }))).to.deep.include({
        entitlement: 500,
        remaining: 410,
        used: 90,
        percentUsed: 18,
        login: null,
      });
    });

    it("is asked for again after five minutes, or when that is wanted", async () => {
      vendor.answers[quotaPath] = jsonReply(paid);
      const provider = await vendor.open({ github });
      await quotaOf(provider);
      await quotaOf(provider);
      expect(vendor.asked(quotaPath)).to.have.lengthOf(1);
      await quotaOf(provider, true);
      expect(vendor.asked(quotaPath)).to.have.lengthOf(2);
      vendor.now += 300_000;
      await quotaOf(provider);
      expect(vendor.asked(quotaPath)).to.have.lengthOf(3);
    });

    for (const [what, vault, reply, reason] of [
      ["nobody has logged in", {}, jsonReply(paid), /login/],
      ["GitHub is down", { github }, jsonReply({}, { status: 503 }), /503/],
      ["GitHub says nothing of it", { github }, jsonReply({ login: "ada" }), /no quota/],
      ["the answer is none", { github }, { body: ["<html>"] }, /not JSON/],
    ] as const) {
      it(`is not available when ${what}, and says why`, async () => {
        vendor.answers[quotaPath] = reply;
        const quota = await quotaOf(await vendor.open(vault));
        expect(quota).to.include({ available: false });
        expect(quota).to.have.property("reason").that.matches(reason);
      });
    }
  });

  describe("the GitHub it asks", () => {
    const definition = plugin.providers?.find(({ type }) => type === "github-copilot");
    const originsOf = (github_url?: string) =>
      definition?.origins?.({
        name: "Copilot",
        extra: github_url === undefined ? {} : { github_url },
      } as never);

    it("is github.com, or the one that the settings name, and nothing else is open to it", () => {
      expect(originsOf()).to.deep.equal(["https://github.com", "https://api.github.com"]);
      expect(originsOf("https://octo.ghe.com/")).to.deep.equal([
        "https://octo.ghe.com",
        "https://api.octo.ghe.com",
      ]);
      expect(originsOf("https://git.example:8443/x")).to.deep.equal([
        "https://git.example:8443",
        "https://git.example:8443",
      ]);
      expect(() => originsOf("nonsense"))
        .to.throw()
        .with.property("param", "github_url");
    });

    it("is open to the one kind that has a login", () => {
      const others = (plugin.providers ?? []).filter((kind) => "origins" in kind).map(({ type }) => type);
      expect(others).to.deep.equal(["github-copilot"]);
    });
  });
});
