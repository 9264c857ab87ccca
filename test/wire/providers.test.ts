import { expect } from "chai";
import { mockProviderServer } from "@pergola/sdk/testing";
import { openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

interface Entry {
  readonly id: string;
  readonly [key: string]: unknown;
}

interface Answer {
  readonly providers: readonly Entry[];
  readonly error: { readonly code: string };
  readonly [key: string]: unknown;
}

const secret = "sk-canary-providers-0123456789";

describe("providers", () => {
  let stage: Stage;
  let second: Awaited<ReturnType<typeof mockProviderServer>>;

  before(async () => {
    second = await mockProviderServer([], { models: ["one", "two"] });
    const broken = {
      type: "custom",
      id: "broken",
      name: "Broken",
      base_url: "http://127.0.0.1:9/v1",
      api_key: { env: "OWN_KEY" },
    };
    const off = {
      type: "openai",
      enabled: false,
      api_key: { env: "OWN_KEY" },
      headers: { "x-own": "canary-of-a-header" },
    };
    const settings = { "providers.list": [{ type: "custom", base_url: second.baseUrl }, broken, off] };
    stage = await openStage(undefined, { settings, environment: { OWN_KEY: secret } });
  });
  after(async () => {
    await stage.end();
    await second.close();
  });

  const get = async (path: string) => stage.host.json<Answer>("GET", path);

  verifies(
    "providers:list",
    "all are listed in configured order with their state, and no secret",
    async () => {
      const before = (await get("/api/providers")).body.providers;
      expect(before.map(({ id, status }) => [id, status])).to.deep.equal([
        ["custom", "unknown"],
        ["broken", "unknown"],
        ["openai", "unknown"],
      ]);
      await get("/api/models");
      const { status, body } = await get("/api/providers");
      const [good, broken, off] = body.providers;
      expect(status).to.equal(200);
      expect(good).to.deep.equal({
        id: "custom",
        type: "custom",
        name: "Custom",
        prefix: "custom",
        is_local: true,
        base_url: second.url,
        enabled: true,
        status: "ok",
        lastError: null,
        modelCount: 2,
        key: { set: false, from: "none" },
        fixed: true,
      });
      expect(broken).to.deep.include({ name: "Broken", prefix: "custom_2", status: "error", modelCount: 0 });
      expect(broken?.["lastError"]).to.be.a("string").that.is.not.empty;
      expect(off).to.deep.include({
        type: "openai",
        enabled: false,
        base_url: "https://api.openai.com",
        is_local: false,
      });
      expect(JSON.stringify(body)).to.not.match(/canary/);
    },
  );

  verifies(
    "providers:login",
    "a kind without a device login refuses, and so does an unknown id",
    async () => {
      const login = async (id: string) => {
        const { status, body } = await stage.host.json<Answer>("POST", `/api/providers/${id}/login`);
        return [status, body.error.code];
      };
      expect(await login("custom")).to.deep.equal([400, "invalid_value"]);
      expect(await login("nobody")).to.deep.equal([404, "not_found"]);
    },
  );

  verifies("providers:quota", "a kind without a quota says so, also under the older path", async () => {
    for (const path of [
      "/api/providers/custom/quota",
      "/api/providers/custom/quota?refresh=true",
      "/api/github-copilot/quota",
    ]) {
      const { status, body } = await get(path);
      expect([path, status, body["available"]]).to.deep.equal([path, 200, false]);
      expect(body["reason"]).to.be.a("string").that.is.not.empty;
    }
    expect((await get("/api/providers/nobody/quota")).status).to.equal(404);
    expect((await get("/api/providers/custom/quota?refresh=maybe")).status).to.equal(400);
  });
});
