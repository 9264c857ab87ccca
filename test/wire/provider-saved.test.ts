import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Json } from "@pergola/sdk";
import {
  chatReply,
  mockProviderServer,
  type MockProviderServer,
  type MockRequest,
  type TestHost,
} from "@pergola/sdk/testing";
import { ask, officialPlugins } from "../support/host.ts";
import { doorkeeper, fromElsewhere, openPlain, patch } from "../support/preference-stage.ts";
import { verifies } from "../support/verifies.ts";

interface Entry {
  readonly id: string;
  readonly prefix: string;
  readonly [field: string]: unknown;
}

interface Saved {
  readonly provider: Entry;
  readonly models: readonly string[];
  readonly error?: { readonly code: string; readonly message: string };
}

const [first, second] = ["first-key-of-a-vendor", "second-key-of-a-vendor"];

const keysIn = (requests: readonly MockRequest[]): readonly unknown[] =>
  requests.map(({ headers }) => headers["authorization"]);

describe("providers that are added over HTTP", () => {
  let host: TestHost;
  let vendor: MockProviderServer;
  let other: MockProviderServer;
  const open = (settings: Readonly<Record<string, Json>> = {}, environment = {}) =>
    openPlain({
      environment,
      settings: {
        storage: { type: "sqlite" },
        "memory.embedding_model": "",
        "secrets.store": "file",
        ...settings,
      },
    });
  beforeEach(async () => {
    vendor = await mockProviderServer(chatReply({ text: "Hello." }), { models: ["one", "two"], key: first });
    other = await mockProviderServer(chatReply({ text: "Hello." }));
    host = await open();
  });
  afterEach(async () => {
    await host.stop();
    await Promise.all([vendor.close(), other.close()]);
  });

  const put = (id: string, body: object) => host.json<Saved>("PUT", `/api/providers/${id}`, body);
  const remove = (id: string) => host.json<Saved>("DELETE", `/api/providers/${id}`);
  const listed = async () =>
    (await host.json<{ providers: readonly Entry[] }>("GET", "/api/providers")).body.providers;
  const refusal = async (answer: Promise<{ status: number; body: Saved }>) => {
    const { status, body } = await answer;
    return [status, body.error?.code];
  };
  const secretNames = (): readonly string[] => {
    try {
      const text = readFileSync(path.join(host.dataDirectory, "secrets.json"), "utf8");
      return Object.keys((JSON.parse(text) as { secrets: object }).secrets);
    } catch {
      return [];
    }
  };
  const add = async (more: object = {}): Promise<Saved> => {
    const { status, body } = await put("mine", {
      type: "custom",
      baseUrl: vendor.baseUrl,
      apiKey: first,
      ...more,
    });
    expect([status, body.error?.message]).to.deep.equal([201, undefined]);
    return body;
  };
  const say = (model: string) => host.json("POST", "/api/chat/completions", ask("Hello", { model }));

  verifies("providers:save", "answer at once and after a restart, with their key", async () => {
    const { provider, models } = await add({ name: "Mine" });
    expect(models).to.deep.equal(["one", "two"]);
    expect(provider).to.deep.equal({
      id: "mine",
      type: "custom",
      name: "Mine",
      prefix: "custom",
      is_local: true,
      base_url: vendor.url,
      enabled: true,
      status: "ok",
      lastError: null,
      modelCount: 2,
      key: { set: true, from: "stored" },
      fixed: false,
    });
    expect((await say("custom/one")).status).to.equal(200);
    await host.restart();
    expect((await say("custom/one")).status).to.equal(200);
    expect(new Set(keysIn([...vendor.requests, ...vendor.listings]))).to.deep.equal(
      new Set([`Bearer ${first}`]),
    );
  });

  verifies("providers:save", "keep what a change does not name; null removes the key", async () => {
    await add({ models: ["two"] });
    const renamed = await put("mine", { name: "Other" });
    expect(renamed.status).to.equal(200);
    expect(renamed.body.provider).to.deep.include({ name: "Other", key: { set: true, from: "stored" } });
    expect(renamed.body.models).to.deep.equal(["two"]);
    const off = await put("mine", { enabled: false, apiKey: null, check: false });
    expect(off.body.provider).to.deep.include({ enabled: false, key: { set: false, from: "none" } });
    expect(secretNames()).to.deep.equal([]);
  });

  verifies("providers:save", "forget the key before when they get another", async () => {
    await add();
    const [before] = secretNames();
    const { status } = await put("mine", { baseUrl: other.baseUrl, apiKey: second });
    expect(status).to.equal(200);
    expect(secretNames()).to.have.length(1);
    expect(secretNames()).to.not.include(before);
    await say("custom/test");
    expect(keysIn(other.requests)).to.deep.equal([`Bearer ${second}`]);
  });

  verifies("providers:save", "are stored only once they have listed their models", async () => {
    const wrong = { type: "custom", baseUrl: vendor.baseUrl, apiKey: second };
    const { status, body } = await put("mine", wrong);
    expect([status, body.error?.code]).to.deep.equal([502, "provider_auth_failed"]);
    expect(JSON.stringify(body)).to.not.include(second);
    const nowhere = { type: "custom", baseUrl: "http://127.0.0.1:9/v1" };
    expect(await refusal(put("mine", nowhere))).to.deep.equal([502, "provider_error"]);
    expect([await listed(), secretNames()]).to.deep.equal([[], []]);
    await add();
    expect(await refusal(put("mine", { apiKey: second }))).to.deep.equal([502, "provider_auth_failed"]);
    expect((await say("custom/one")).status).to.equal(200);
    const unchecked = await put("later", { ...nowhere, models: ["m"], check: false });
    expect([unchecked.status, unchecked.body.models]).to.deep.equal([201, ["m"]]);
  });

  verifies("providers:save", "send no stored key and no header to another origin", async () => {
    await patch(host, {
      "providers.list": [
        {
          type: "custom",
          id: "mine",
          base_url: vendor.baseUrl,
          api_key: first,
          headers: { "x-team": "roses" },
        },
      ],
    });
    expect((await put("mine", { baseUrl: `${vendor.url}/v1/` })).body.provider["key"]).to.deep.equal({
      set: true,
      from: "stored",
    });
    const { status, body } = await put("mine", { baseUrl: other.baseUrl });
    expect([status, body.provider["key"]]).to.deep.equal([200, { set: false, from: "none" }]);
    expect((await say("custom/test")).status).to.equal(200);
    const sent = [...other.listings, ...other.requests];
    expect(sent).to.have.length.above(1);
    for (const { headers } of sent) expect(headers).to.not.have.any.keys("authorization", "x-team");
  });

  verifies("providers:save", "are refused with a kind or an address of nobody", async () => {
    const own = `${host.url.replace("127.0.0.1", "localhost")}/v1`;
    for (const [id, body, code] of [
      ["mine", { baseUrl: vendor.baseUrl }, "missing_field"],
      ["mine", { type: "custm", baseUrl: vendor.baseUrl }, "invalid_value"],
      ["mine", { type: "custom", baseUrl: "ftp://127.0.0.1" }, "invalid_value"],
      ["mine", { type: "custom", baseUrl: own }, "invalid_value"],
      ["mine", { type: "custom", baseUrl: vendor.baseUrl, apiKey: "abc" }, "invalid_value"],
      ["not%20one", { type: "custom", baseUrl: vendor.baseUrl }, "invalid_value"],
    ] as const)
      expect(await refusal(put(id, body)), JSON.stringify(body)).to.deep.equal([400, code]);
    expect(await listed()).to.deep.equal([]);
  });

  verifies("providers:remove", "go with their key; the models of others keep their names", async () => {
    await add();
    await put("next", { type: "custom", baseUrl: other.baseUrl });
    await put("last", { type: "custom", baseUrl: other.baseUrl });
    const { status, body } = await remove("mine");
    expect([status, body]).to.deep.equal([200, { success: true }]);
    expect(secretNames()).to.deep.equal([]);
    await put("newest", { type: "custom", baseUrl: other.baseUrl });
    await host.restart();
    expect((await listed()).map(({ id, prefix }) => [id, prefix])).to.deep.equal([
      ["next", "custom_2"],
      ["last", "custom_3"],
      ["newest", "custom"],
    ]);
    expect(await refusal(remove("mine"))).to.deep.equal([404, "not_found"]);
  });

  verifies("providers:remove", "stay while they make an answer", async () => {
    let proceed = (): void => undefined;
    const until = new Promise<void>((resolve) => (proceed = resolve));
    vendor.play(chatReply([{ text: "one " }, { until }, { text: "two" }] as never));
    await add();
    const answer = say("custom/one");
    await vendor.request(0);
    expect(await refusal(put("mine", { name: "Other" }))).to.deep.equal([409, "in_use"]);
    expect(await refusal(remove("mine"))).to.deep.equal([409, "in_use"]);
    proceed();
    expect((await answer).status).to.equal(200);
    expect((await remove("mine")).status).to.equal(200);
  });

  verifies(
    ["providers:save", "providers:remove"],
    "are left alone where the settings or the environment bring them",
    async () => {
      await host.stop();
      host = await open({}, { ANTHROPIC_API_KEY: "sk-canary-key-of-anthropic" });
      expect(await refusal(remove("anthropic"))).to.deep.equal([409, "set_elsewhere"]);
      await host.stop();
      host = await open({ "providers.list": [{ type: "custom", id: "mine", base_url: vendor.baseUrl }] });
      expect(await refusal(put("mine", { name: "Other" }))).to.deep.equal([409, "set_elsewhere"]);
      expect(await refusal(remove("mine"))).to.deep.equal([409, "set_elsewhere"]);
      expect(vendor.listings).to.deep.equal([]);
    },
  );

  verifies(["providers:save", "providers:remove"], "are not for callers on other computers", async () => {
    await host.stop();
    host = await openPlain({
      plugins: [...officialPlugins(), doorkeeper],
      settings: { "memory.embedding_model": "" },
    });
    const body = { type: "custom", baseUrl: vendor.baseUrl, apiKey: first };
    for (const method of ["PUT", "DELETE"]) {
      const sent = method === "PUT" ? body : undefined;
      const answer = await host.request(method, "/api/providers/mine", sent, fromElsewhere);
      expect(answer.status).to.equal(403);
      expect(await answer.text()).to.include("remote_not_allowed");
    }
    expect(vendor.listings).to.deep.equal([]);
  });
});
