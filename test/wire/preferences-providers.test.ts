import { chatReply, mockProviderServer, type MockProviderServer, type TestHost } from "@pergola/sdk/testing";
import { expect } from "chai";
import type { Json } from "@pergola/sdk";
import { ask } from "../support/host.ts";
import { openPlain, patch } from "../support/preference-stage.ts";
import { verifies } from "../support/verifies.ts";

describe("providers as preferences", () => {
  let host: TestHost;
  let first: MockProviderServer;
  let second: MockProviderServer;
  beforeEach(async () => {
    first = await mockProviderServer(chatReply({ text: "from the first" }));
    second = await mockProviderServer(chatReply({ text: "from the second" }));
    host = await openPlain({ settings: { storage: { type: "sqlite" }, "memory.embedding_model": "" } });
  });
  afterEach(async () => {
    await host.stop();
    await Promise.all([first.close(), second.close()]);
  });

  const record = (of: MockProviderServer, more: object = {}): Json => ({
    type: "custom",
    base_url: of.baseUrl,
    retry_count: 0,
    ...more,
  });
  const use = async (...list: readonly Json[]) => {
    const { status, body } = await patch(host, { "providers.list": list });
    expect([status, body.restartRequired], body.error?.message).to.deep.equal([200, []]);
  };
  const say = async (model: string): Promise<string | undefined> => {
    const { body } = await host.json<{
      choices?: { message: { content: string } }[];
      error?: { code: string };
    }>("POST", "/api/chat/completions", ask("Hello", { model }));
    return body.choices?.[0]?.message.content ?? body.error?.code;
  };
  const prefixes = async () =>
    (await host.json<{ providers: { prefix: string }[] }>("GET", "/api/providers")).body.providers.map(
      ({ prefix }) => prefix,
    );

  verifies(
    "preferences:providers",
    "are there at once, with a new key, and gone at once; and after a restart",
    async () => {
      await use(record(first, { api_key: "first-key" }));
      expect(await say("custom/test")).to.equal("from the first");
      expect(first.requests.at(-1)?.headers["authorization"]).to.equal("Bearer first-key");
      await use(record(first, { api_key: "second-key" }), record(second, { prefix: "two" }));
      expect([await say("custom/test"), await say("two/test")]).to.deep.equal([
        "from the first",
        "from the second",
      ]);
      expect(first.requests.at(-1)?.headers["authorization"]).to.equal("Bearer second-key");
      await host.restart();
      expect(await say("two/test")).to.equal("from the second");
      expect(first.requests.at(-1)?.headers["authorization"]).to.equal("Bearer second-key");
      await use(record(second, { prefix: "two" }));
      expect(await prefixes()).to.deep.equal(["two"]);
      expect(await say("custom/test")).to.equal("model_not_found");
    },
  );

  verifies("preferences:providers", "end what they answer when they are taken away", async () => {
    let proceed = (): void => undefined;
    const until = new Promise<void>((resolve) => (proceed = resolve));
    first.play(chatReply([{ text: "one " }, { until }, { text: "two" }] as never));
    await use(record(first));
    const answer = say("custom/test");
    await first.request(0);
    await use(record(second));
    proceed();
    expect(await answer).to.equal("one two");
    expect(await say("custom/test")).to.equal("from the second");
  });

  verifies(
    ["preferences:providers", "preferences:refused"],
    "are refused with a kind or an address of nobody, and stay as they were",
    async () => {
      await use(record(first));
      const faulty = [
        { type: "custm", base_url: first.baseUrl },
        { type: "custom", base_url: "http://[" },
        "custom",
      ];
      for (const wrong of faulty) {
        const { status, body } = await patch(host, {
          "providers.list": [record(second), wrong as Json],
          "user.name": "Ada",
        });
        expect([status, body.error?.code, body.error?.param]).to.deep.equal([
          400,
          "invalid_value",
          "providers.list",
        ]);
      }
      const { body } = await patch(host, { "providers.list": [faulty[0] as Json] });
      expect(body.error?.message).to.include('Did you mean "custom"?');
      expect([await say("custom/test"), host.services.preferences.get("user.name")]).to.deep.equal([
        "from the first",
        "",
      ]);
    },
  );
});
