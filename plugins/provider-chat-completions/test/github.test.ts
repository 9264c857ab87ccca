import { expect } from "chai";
import type { JsonObject, Log, Provider } from "@pergola/sdk";
import {
  chatReply,
  jsonReply,
  memoryVault,
  mockProviderServer,
  type MockProviderServer,
  type MockReply,
  type MockRequest,
} from "@pergola/sdk/testing";
import plugin from "../index.ts";
import { ask, key, open, user } from "./support.ts";

const github = "gho_canary-of-the-login-0123456789";
const never = (): AbortSignal => new AbortController().signal;
const device = {
  device_code: "canary-device-code",
  user_code: "ABCD-1234",
  verification_uri: "https://github.com/login/device",
  expires_in: 900,
  interval: 0.005,
};

/** GitHub and the vendor behind one address: what each path answers, and what was asked. */
class Vendor {
  answers: Record<string, MockReply | (() => MockReply)> = {
    "/login/device/code": jsonReply(device),
    "/login/oauth/access_token": jsonReply({ access_token: github, token_type: "bearer" }),
    "/api/v3/copilot_internal/v2/token": () =>
      jsonReply({ token: `tid=canary-${(this.tokens += 1)}`, expires_at: 2000, refresh_in: 1500 }),
    "/v1/chat/completions": chatReply({ text: "Yes." }),
  };
  tokens = 0;
  now = 1_000_000;
  readonly kept: JsonObject[] = [];
  readonly logged: unknown[] = [];
  server!: MockProviderServer;

  async start(): Promise<void> {
    this.server = await mockProviderServer((request) => {
      const answer = this.answers[request.path] ?? jsonReply({ message: "Not Found" }, { status: 404 });
      return typeof answer === "function" ? answer() : answer;
    });
  }

  async open(vault: JsonObject = {}, given: Parameters<typeof open>[1] = {}): Promise<Provider> {
    const log = (...said: readonly unknown[]): void => void this.logged.push(said);
    const kept = memoryVault(vault);
    const put = async (value: JsonObject): Promise<void> => {
      this.kept.push(value);
      await kept.put(value);
    };
    return open(
      "github-copilot",
      {
        baseUrl: this.server.baseUrl,
        extra: { github_url: this.server.url },
        apiKey: undefined as never,
        ...given,
      },
      {
        vault: { ...kept, put },
        clock: { now: () => this.now },
        log: { debug: log, info: log, warn: log, error: log } satisfies Log,
      },
    );
  }

  asked(path: string): readonly MockRequest[] {
    return this.server.requests.filter((request) => request.path === path);
  }

  /** Waits for a state of things that other work brings about. */
  async until(what: () => boolean): Promise<void> {
    while (!what()) await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

const tokenPath = "/api/v3/copilot_internal/v2/token";
const pollPath = "/login/oauth/access_token";
const chatPath = "/v1/chat/completions";

describe("github-copilot", () => {
  let vendor: Vendor;
  beforeEach(async () => {
    vendor = new Vendor();
    await vendor.start();
  });
  afterEach(() => vendor.server.close());

  describe("a device login", () => {
    it("tells the code at once, waits for the person, exchanges what it got and keeps both", async () => {
      let asked = 0;
      vendor.answers[pollPath] = () =>
        jsonReply((asked += 1) < 3 ? { error: "authorization_pending" } : { access_token: github });
      const provider = await vendor.open();
      expect(await provider.login?.(never())).to.deep.equal({
        userCode: "ABCD-1234",
        verificationUri: "https://github.com/login/device",
        expiresIn: 900,
      });
      await vendor.until(() => vendor.kept.length === 2);
      expect(vendor.asked(pollPath)).to.have.lengthOf(3);
      expect(vendor.asked(pollPath)[0]?.body).to.deep.include({
        device_code: "canary-device-code",
        grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      });
      expect(vendor.kept).to.deep.equal([
        { github },
        { github, service: "tid=canary-1", renewAt: vendor.now + 1_500_000 },
      ]);
      expect((await ask(provider)).text).to.equal("Yes.");
      expect(vendor.asked(chatPath)[0]?.headers).to.include({ authorization: "Bearer tid=canary-1" });
      expect(vendor.asked(tokenPath)[0]?.headers).to.include({ authorization: `token ${github}` });
    });

    it("asks more slowly when it is told to, as slowly as it is told", async () => {
      const times: number[] = [];
      const says = [
        { error: "slow_down", interval: 0.06 },
        { error: "authorization_pending" },
        { access_token: github },
      ];
      vendor.answers[pollPath] = () => jsonReply(says[times.push(performance.now()) - 1]);
      await (await vendor.open()).login?.(never());
      await vendor.until(() => vendor.kept.length > 0);
      const [first = 0, second = 0, third = 0] = times;
      expect(Math.min(second - first, third - second)).to.be.at.least(55);
    });

    it("goes on through failures of GitHub and of the connection", async () => {
      const says: MockReply[] = [
        jsonReply({}, { status: 503 }),
        { body: [{ reset: true }] },
        { body: ["<html>"] },
        jsonReply({ access_token: github }),
      ];
      vendor.answers[pollPath] = () => says.shift() as MockReply;
      await (await vendor.open()).login?.(never());
      await vendor.until(() => vendor.kept.length > 0);
      expect(vendor.kept[0]).to.deep.equal({ github });
    });

    for (const [error, words] of Object.entries({
      access_denied: /refused/,
      expired_token: /in time/,
      incorrect_device_code: /incorrect_device_code/,
    })) {
      it(`ends with ${error}, and says so to who calls`, async () => {
        vendor.answers[pollPath] = jsonReply({ error });
        const provider = await vendor.open();
        await provider.login?.(never());
        await vendor.until(() => vendor.logged.length > 0);
        const failed = await ask(provider);
        expect(failed.error)
          .to.include({ code: "provider_auth_failed" })
          .and.to.have.property("message")
          .that.matches(words);
        expect([vendor.kept, vendor.asked(pollPath).length]).to.deep.equal([[], 1]);
      });
    }

    it("ends by itself when nobody enters the code", async () => {
      vendor.answers[pollPath] = () => {
        vendor.now += 500_000;
        return jsonReply({ error: "authorization_pending" });
      };
      const provider = await vendor.open();
      await provider.login?.(never());
      await vendor.until(() => vendor.logged.length > 0);
      expect(vendor.asked(pollPath)).to.have.lengthOf(2);
      expect((await ask(provider)).error)
        .to.have.property("message")
        .that.matches(/in time/);
    });

    it("is given up for a newer one, and when the provider is closed", async () => {
      vendor.answers[pollPath] = jsonReply({ error: "authorization_pending" });
      const provider = await vendor.open();
      await provider.login?.(never());
      vendor.answers["/login/device/code"] = jsonReply({ ...device, device_code: "second" });
      await provider.login?.(never());
      await vendor.until(
        () =>
          (vendor.asked(pollPath).at(-1)?.body as { device_code?: string } | undefined)?.device_code ===
          "second",
      );
      const before = vendor.asked(pollPath).length;
      await vendor.until(() => vendor.asked(pollPath).length > before + 3);
      const codes = vendor
        .asked(pollPath)
        .slice(before)
        .map(({ body }) => (body as { device_code: string }).device_code);
      expect([...new Set(codes)]).to.deep.equal(["second"]);
      await provider.close?.();
      await new Promise((resolve) => setTimeout(resolve, 20));
      const closed = vendor.asked(pollPath).length;
      await new Promise((resolve) => setTimeout(resolve, 30));
      expect(vendor.asked(pollPath).length).to.equal(closed);
    });

    it("fails where GitHub begins none", async () => {
      const failure = async (reply: MockReply) => {
        vendor.answers["/login/device/code"] = reply;
        return (await vendor.open()).login?.(never()).catch((error: unknown) => error);
      };
      expect(await failure(jsonReply({ message: "no" }, { status: 422 }))).to.include({
        code: "provider_rejected",
      });
      expect(await failure(jsonReply({ error: "device_flow_disabled" }))).to.include({
        code: "provider_error",
      });
      expect(await failure({ body: ["<html>"] })).to.include({ code: "provider_error" });
    });
  });

  describe("its tokens", () => {
    it("are made once for all who wait, and again before they end", async () => {
      const provider = await vendor.open({ github });
      await Promise.all([ask(provider), ask(provider), ask(provider)]);
      expect(vendor.tokens).to.equal(1);
      vendor.now += 1_499_000;
      await ask(provider);
      expect(vendor.tokens).to.equal(1);
      vendor.now += 2000;
      await Promise.all([ask(provider), ask(provider)]);
      expect(vendor.tokens).to.equal(2);
      expect(vendor.asked(chatPath).at(-1)?.headers).to.include({ authorization: "Bearer tid=canary-2" });
    });

    it("are not lost for the others when one of those who wait leaves", async () => {
      let answer = (): void => undefined;
      const until = new Promise<void>((resolve) => (answer = resolve));
      vendor.answers[tokenPath] = {
        ...jsonReply({}),
        body: [{ until }, JSON.stringify({ token: "tid=late", refresh_in: 1500 })],
      };
      const provider = await vendor.open({ github });
      const controller = new AbortController();
      const left = ask(provider, {}, controller.signal);
      const stays = ask(provider);
      await vendor.until(() => vendor.asked(tokenPath).length > 0);
      controller.abort(new Error("gone"));
      expect((await left).error).to.have.property("message", "gone");
      answer();
      expect((await stays).text).to.equal("Yes.");
    });

    it("are known after a restart, and the exchange without refresh_in ends with its token", async () => {
      vendor.answers[tokenPath] = jsonReply({ token: "tid=x", expires_at: 3000 });
      await ask(await vendor.open({ github }));
      expect(vendor.kept).to.deep.equal([{ github, service: "tid=x", renewAt: 2_700_000 }]);
      await ask(await vendor.open(vendor.kept[0]));
      expect(vendor.asked(tokenPath)).to.have.lengthOf(1);
    });

    it("are given up when the vendor refuses them, and another is made for the next call", async () => {
      const provider = await vendor.open({ github });
      vendor.answers[chatPath] = jsonReply(
        { error: { message: "token tid=canary-1 expired" } },
        { status: 401 },
      );
      const { error } = await ask(provider);
      expect(error).to.include({ code: "provider_auth_failed" });
      expect(vendor.kept.at(-1)).to.deep.equal({ github });
      vendor.answers[chatPath] = chatReply({ text: "Yes." });
      expect((await ask(provider)).text).to.equal("Yes.");
      expect(vendor.tokens).to.equal(2);
    });

    it("are all wiped when GitHub refuses the login, and a new login is asked for", async () => {
      vendor.answers[tokenPath] = jsonReply({ message: "Bad credentials" }, { status: 401 });
      const provider = await vendor.open({ github, service: "tid=old", renewAt: 5 });
      expect((await ask(provider)).error)
        .to.include({ code: "provider_auth_failed" })
        .and.to.have.property("message")
        .that.matches(/new login/);
      expect(vendor.kept).to.deep.equal([{}]);
      await ask(provider);
      expect(vendor.asked(tokenPath)).to.have.lengthOf(1);
    });

    for (const status of [403, 404]) {
      it(`are kept when GitHub has nothing for the account (${status})`, async () => {
        vendor.answers[tokenPath] = jsonReply({ message: "No access to Copilot" }, { status });
        const { error } = await ask(await vendor.open({ github }));
        expect(error)
          .to.include({ code: "provider_auth_failed" })
          .and.to.have.property("message")
          .that.includes("No access to Copilot");
        expect(vendor.kept).to.deep.equal([]);
      });
    }

    it("fail as a provider does when GitHub is down", async () => {
      vendor.answers[tokenPath] = jsonReply({}, { status: 503, headers: { "retry-after": "7" } });
      expect((await ask(await vendor.open({ github }))).error).to.include({
        code: "provider_error",
        retryAfter: 7,
      });
      vendor.answers[tokenPath] = jsonReply({ odd: "tid=secret-of-nobody" });
      const { error } = await ask(await vendor.open({ github }));
      expect(error)
        .to.include({ code: "provider_error" })
        .and.to.have.property("message")
        .that.does.not.include("tid=");
    });

    it("may be made of a token that the settings hold, which goes to GitHub only", async () => {
      expect((await ask(await vendor.open({}, { apiKey: key }))).text).to.equal("Yes.");
      expect(vendor.asked(tokenPath)[0]?.headers).to.include({ authorization: `token ${key}` });
      expect(JSON.stringify(vendor.asked(chatPath)[0]?.headers)).to.not.include(key);
      expect(vendor.kept.at(-1)).to.have.all.keys("service", "renewAt");
    });

    it("of an old login never replace those of a new one", async () => {
      let answer = (): void => undefined;
      const until = new Promise<void>((resolve) => (answer = resolve));
      const late = {
        ...jsonReply({}),
        body: [{ until }, JSON.stringify({ token: "tid=of-the-old-login", refresh_in: 1500 })],
      };
      const replies: MockReply[] = [late, jsonReply({ token: "tid=new", refresh_in: 1500 })];
      vendor.answers[tokenPath] = () => replies.shift() as MockReply;
      const provider = await vendor.open({ github: "gho_of-the-old-login" });
      const old = ask(provider);
      await vendor.until(() => vendor.asked(tokenPath).length > 0);
      await provider.login?.(never());
      await vendor.until(() => vendor.kept.length > 0);
      answer();
      await old;
      expect((await ask(provider)).text).to.equal("Yes.");
      expect(vendor.asked(chatPath).at(-1)?.headers).to.include({ authorization: "Bearer tid=new" });
      expect(JSON.stringify(vendor.kept)).to.not.include("old-login");
    });

    it("stand in no error and no log, whatever the other side echoes", async () => {
      const echo = jsonReply(
        { error: { message: `${github} tid=canary-1 ${device.device_code}` } },
        { status: 400 },
      );
      vendor.answers[chatPath] = echo;
      const provider = await vendor.open();
      await provider.login?.(never());
      await vendor.until(() => vendor.kept.length === 2);
      const { error } = await ask(provider);
      expect(error).to.include({ code: "provider_rejected" });
      expect(String(error) + JSON.stringify([error, vendor.logged])).to.not.match(/canary/);
    });

    it("that the vault held at the start stand in no error either", async () => {
      vendor.answers[chatPath] = jsonReply(
        { error: { message: `${github} tid=canary-kept` } },
        { status: 400 },
      );
      const { error } = await ask(
        await vendor.open({ github, service: "tid=canary-kept", renewAt: Number.MAX_SAFE_INTEGER }),
      );
      expect(error).to.include({ code: "provider_rejected" });
      expect(String(error)).to.not.match(/canary/);
    });

    it("cost no more to hide after many than after a few", async () => {
      const provider = await vendor.open({ github });
      for (let turn = 0; turn < 60; turn++) {
        vendor.now += 1_500_001;
        await ask(provider);
      }
      expect(vendor.tokens).to.equal(60);
      vendor.answers[chatPath] = jsonReply(
        { error: { message: `${github} tid=canary-60` } },
        { status: 400 },
      );
      const begun = performance.now();
      expect(String((await ask(provider)).error)).to.not.match(/canary/);
      expect(performance.now() - begun).to.be.below(500);
    });

    it("are asked for by name where nobody has logged in", async () => {
      const { error } = await ask(await vendor.open());
      expect(error)
        .to.include({ code: "provider_auth_failed" })
        .and.to.have.property("message")
        .that.includes("/login");
      expect(vendor.server.requests).to.deep.equal([]);
    });
  });

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
