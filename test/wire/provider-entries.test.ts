import { expect } from "chai";
import type { Json } from "@pergola/sdk";
import {
  chatReply,
  frame,
  chatChunk,
  mockProviderServer,
  type MockProviderServer,
  type MockReply,
} from "@pergola/sdk/testing";
import { chat, user, type ChatAnswer } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

interface Listed {
  readonly providers: readonly {
    readonly id: string;
    readonly prefix: string;
    readonly enabled: boolean;
    readonly name: string;
  }[];
}

/** By the words of the person. */
const answers: Readonly<Record<string, MockReply>> = {
  "say nothing": { body: [{ hang: true }] },
  "fall silent": { body: [frame(chatChunk({ content: "Half" })), { hang: true }] },
};
const hello = chatReply({ text: "Hello." });

describe("an entry of providers.list", () => {
  let stage: Stage;
  let vendor: MockProviderServer;
  before(async () => {
    vendor = await mockProviderServer(
      ({ text }) => answers[Object.keys(answers).find((words) => text.includes(words)) ?? ""] ?? hello,
      {
        models: ["one", "two"],
      },
    );
    const base_url = vendor.baseUrl;
    const list: Json[] = [
      { type: "custom", base_url, max_tokens: 77, temperature: 0.1 },
      {
        providerType: "custom",
        providerId: "mine",
        name: "Mine",
        baseURL: base_url,
        customHeaders: { "x-team": "roses" },
        models: ["two"],
      },
      { type: "custom", id: "off", base_url, isEnabled: false },
      {
        type: "custom",
        id: "hasty",
        prefix: "hasty",
        base_url,
        retry_count: 0,
        timeout_seconds: 1,
        idle_timeout_seconds: 1,
      },
      { type: "deepseek", base_url, api_key: { env: "KEY" } },
    ];
    stage = await openStage(undefined, {
      environment: { KEY: "a key" },
      settings: { "providers.list": list },
    });
  });
  after(async () => {
    await stage.end();
    await vendor.close();
  });

  const ask = (model: string, content = "Hello", more: object = {}) =>
    chat(stage, { model, messages: [user(content)], ...more });
  const lastRequest = () => vendor.requests.at(-1)!;

  verifies(
    "providers:entries",
    "may be spelled in either way; a second one of a kind has a prefix of its own, one that is off no models",
    async () => {
      const { providers } = (await stage.host.json<Listed>("GET", "/api/providers")).body;
      const shown = providers.slice(0, 4).map(({ id, prefix, enabled, name }) => [id, prefix, enabled, name]);
      expect(shown).to.deep.equal([
        ["custom", "custom", true, "Custom"],
        ["mine", "custom_2", true, "Mine"],
        ["off", "custom_3", false, "Custom"],
        ["hasty", "hasty", true, "Custom"],
      ]);
      const { data } = (
        await stage.host.json<{ readonly data: readonly { readonly id: string }[] }>("GET", "/api/models")
      ).body;
      const custom = data.map(({ id }) => id).filter((id) => id.startsWith("custom"));
      expect(custom).to.deep.equal(["custom/one", "custom/two", "custom_2/two"]);
      expect((await ask("custom_3/one")).status).to.equal(404);
    },
  );

  verifies(
    "providers:entries",
    "sends its own headers, and its own sampling where the request names none",
    async () => {
      expect((await ask("custom-2/two")).status).to.equal(200);
      expect(lastRequest().headers).to.include({ "x-team": "roses" });
      await ask("custom/one");
      expect(lastRequest().body).to.include({ max_tokens: 77, temperature: 0.1 });
      await ask("custom/one", "Hello", { max_tokens: 5, temperature: 1 });
      expect(lastRequest().body).to.include({ max_tokens: 5, temperature: 1 });
    },
  );

  verifies(
    "providers:entries",
    "says in the metadata what of a request its kind cannot be asked for",
    async () => {
      const { body } = await ask("deepseek/one", "Hello", { seed: 7 });
      expect(lastRequest().body).to.not.have.property("seed");
      expect(body.service_metadata.warnings.filter((text) => text.startsWith("seed"))).to.have.length(1);
    },
  );

  for (const stream of [false, true]) {
    const mode = stream ? "streamed" : "not streamed";
    verifies("providers:entries", `waits its own time for the first byte, ${mode}`, async () => {
      const { status, body } = await ask("hasty/one", "say nothing", { stream });
      expect([status, body.error.code]).to.deep.equal([504, "provider_timeout"]);
    });

    verifies("providers:entries", `waits its own time between bytes, ${mode}`, async () => {
      const asked = { model: "hasty/one", messages: [user("fall silent")], stream };
      const answer = await stage.host.request("POST", "/api/chat/completions", asked);
      const text = await answer.text();
      if (stream) expect(text).to.include("Half").and.include('"code":"provider_timeout"');
      else
        expect([answer.status, (JSON.parse(text) as ChatAnswer).error.code]).to.deep.equal([
          504,
          "provider_timeout",
        ]);
    });
  }
});
