import { expect } from "chai";
import { AppError, ProviderFailures } from "@pergola/sdk";
import { chatChunk, collectEvents, doneFrame, frame } from "@pergola/sdk/testing";
import { ChatChunkReader } from "../index.ts";
import { failureOf, never, openApi } from "./support.ts";

describe("the API of a provider", () => {
  const addresses: readonly (readonly [baseUrl: string, root: string | undefined, url: string])[] = [
    ["https://vendor.test", undefined, "https://vendor.test/models"],
    ["https://vendor.test/", "/v1", "https://vendor.test/v1/models"],
    ["https://vendor.test/v1/", "/v1", "https://vendor.test/v1/models"],
    ["https://vendor.test/proxy", "/v1", "https://vendor.test/proxy/v1/models"],
    ["https://vendor.test/v1?version=2", undefined, "https://vendor.test/v1/models?version=2"],
  ];
  for (const [baseUrl, root, url] of addresses) {
    it(`has its paths below ${baseUrl} with the root ${root ?? "none"}`, () => {
      expect(openApi({ baseUrl }, { root }).api.url("/models")).to.equal(url);
    });
  }

  it("adds a query, and takes whole URLs as they are", async () => {
    const { api, sent } = openApi();
    await api.json("/models", { query: { limit: "2" }, signal: never() });
    await api.json("https://vendor.test/other", { signal: never() });
    expect(sent.map(({ url }) => url)).to.deep.equal([
      "https://vendor.test/v1/models?limit=2",
      "https://vendor.test/other",
    ]);
  });

  it("needs a base URL", () => {
    expect(() => openApi({ baseUrl: "nowhere" })).to.throw(
      AppError,
      "Vendor needs a base_url, such as https://vendor.test.",
    );
  });

  it("sends the key in its header, and lets the settings' own headers win", async () => {
    const bearer = openApi({ apiKey: "key-12345" });
    const own = openApi({ apiKey: "key-12345", headers: { "X-Key": "mine" } }, { keyHeader: "x-key" });
    const withoutHeader = openApi({ apiKey: "key-12345" }, { keyHeader: undefined });
    for (const { api } of [bearer, own, withoutHeader]) await api.json("/models", { signal: never() });
    expect(bearer.sent[0]?.headers).to.include({ authorization: "Bearer key-12345" });
    expect(own.sent[0]?.headers).to.include({ "x-key": "mine" });
    expect(JSON.stringify(withoutHeader.sent[0]?.headers)).to.not.include("key-12345");
  });

  it("asks nobody without a key, unless a header authorizes", async () => {
    const bare = openApi({}, { needsKey: true, keyHeader: "x-key" });
    expect(await failureOf(bare.api.json("/models", { signal: never() }))).to.include({
      code: "provider_auth_failed",
    });
    expect(bare.sent).to.deep.equal([]);
    const headers = { Authorization: "Bearer token" };
    const authorized = openApi({ headers }, { needsKey: true, keyHeader: "x-key" });
    await authorized.api.json("/models", { signal: never() });
    expect(authorized.sent).to.have.length(1);
  });

  it("sends with the headers of a login", async () => {
    const { api, sent } = openApi({}, { login: (send) => send({ authorization: "Bearer login" }) });
    await api.json("/models", { signal: never(), headers: { accept: "text/plain" } });
    expect(sent[0]?.headers).to.include({ authorization: "Bearer login", accept: "text/plain" });
  });

  it("sends the trace of a request as traceparent, and none where there is none", async () => {
    const trace = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
    const { api, sent } = openApi();
    await api.json("/embeddings", { signal: never(), headers: { accept: "text/plain" }, trace });
    await api.json("/embeddings", { signal: never() });
    expect(sent[0]?.headers).to.include({ accept: "text/plain", traceparent: trace });
    expect(sent[0]).to.not.have.property("trace");
    expect(sent[1]?.headers).to.not.have.property("traceparent");
  });

  it("turns what is not 2xx into the provider's failure", async () => {
    const { api } = openApi({}, {}, ['{"error":{"message":"slow down"}}'], 429);
    expect(await failureOf(api.json("/models", { signal: never() }))).to.include({
      code: "provider_rate_limited",
      message: "Vendor answered 429: slow down",
    });
  });

  it("streams an answer, the warnings first", async () => {
    const body = frame(chatChunk({ content: "Yes." })) + frame(chatChunk({}, "length")) + doneFrame;
    const { api, sent } = openApi({}, {}, [body]);
    const request = {
      path: "/chat/completions",
      body: "{}",
      reader: (events: ConstructorParameters<typeof ChatChunkReader>[0]) => new ChatChunkReader(events),
      warnings: ["seed was left out"],
    };
    const { events } = await collectEvents(api.stream(request, never()));
    expect(events).to.deep.equal([
      { type: "warning", text: "seed was left out" },
      { type: "text", text: "Yes." },
      { type: "end", reason: "length", model: "test" },
    ]);
    expect(sent[0]?.method).to.equal("POST");
  });

  it("M8: tells of a refused key where it is to be looked for", async () => {
    const failure = new ProviderFailures({ name: "Vendor", headers: {} } as never, {
      clock: { now: () => 0 },
      read: () => ({ message: "no" }),
      keyVariable: "VENDOR_API_KEY",
    }).fromBody({ error: "no" }, 401);
    expect(failure.code).to.equal("provider_auth_failed");
    expect(failure.message).to.equal(
      "Vendor answered 401: no. Check its api_key, or the variable VENDOR_API_KEY.",
    );
  });

  it("M6: asks for vectors in batches, and leaves them as they are", async () => {
    const batches: (readonly string[])[] = [];
    const vectors = await openApi().api.embed(["a", "b", "c"], 2, async (batch) => {
      batches.push(batch);
      return batch.map(() => [3, 4]);
    });
    expect(batches).to.deep.equal([["a", "b"], ["c"]]);
    expect(vectors.map((vector) => [...vector])).to.deep.equal([
      [3, 4],
      [3, 4],
      [3, 4],
    ]);
  });

  it("fails when a text has no vector, or one without numbers", async () => {
    for (const loaded of [[], [[]], [[0, NaN]], ["none"], [[1], [2]]])
      expect(await failureOf(openApi().api.embed(["a"], 2, async () => loaded))).to.have.property(
        "message",
        "Vendor did not give a vector for every text",
      );
  });
});
