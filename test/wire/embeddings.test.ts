import { expect } from "chai";
import OpenAI from "openai";
import { jsonReply, startTestHost, type TestHost } from "@pergola/sdk/testing";
import { openStage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

interface Answer {
  readonly object: string;
  readonly model: string;
  readonly data: readonly {
    readonly object: string;
    readonly index: number;
    readonly embedding: readonly number[];
  }[];
  readonly usage: { readonly prompt_tokens: number; readonly total_tokens: number };
  readonly service_metadata: { readonly usage_source: string };
  readonly error?: { readonly code: string; readonly param?: string };
}

const likeness = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);

describe("embeddings", function () {
  this.timeout(30_000);
  let host: TestHost;
  before(async () => {
    host = await startTestHost();
  });
  after(() => host.stop());
  const ask = async (body: object) => host.json<Answer>("POST", "/v1/embeddings", body);

  verifies("embeddings:create", "of like texts are alike, and of unit length", async () => {
    const input = ["How do I bake bread?", "Recipe for a loaf", "The stock market fell"];
    const { status, body } = await ask({ model: "embedded/minilm", input });
    const [bread = [], loaf = [], market = []] = body.data.map(({ embedding }) => embedding);
    expect([status, body.object, body.model]).to.deep.equal([200, "list", "embedded/minilm"]);
    expect(body.data.map(({ object, index }) => [object, index])).to.deep.equal(
      [0, 1, 2].map((index) => ["embedding", index]),
    );
    expect(likeness(bread, bread)).to.be.closeTo(1, 1e-5);
    expect(likeness(bread, loaf)).to.be.greaterThan(likeness(bread, market) + 0.2);
    expect(body.usage.total_tokens).to.equal(body.usage.prompt_tokens).and.to.be.greaterThan(5);
  });

  verifies(
    "embeddings:create",
    "work with the client that asks for base64 by itself, and by the word default",
    async () => {
      const client = new OpenAI({ baseURL: `${host.url}/v1`, apiKey: "none" });
      const plain = (await ask({ model: "default", input: "Hello" })).body.data[0]?.embedding ?? [];
      const coded =
        (await client.embeddings.create({ model: "embedded/minilm", input: "Hello" })).data[0]?.embedding ??
        [];
      expect(coded).to.have.length(384);
      expect(likeness(plain, coded)).to.be.closeTo(1, 1e-5);
    },
  );

  verifies("embeddings:create", "M6: of a provider come as it gives them", async () => {
    const vectors = [
      [0.25, 0.5, 0],
      [0.1, -3.5, 1e-7],
      [0, 0, 0],
    ];
    const data = vectors.map((embedding, index) => ({ object: "embedding", index, embedding }));
    const other = await openStage(jsonReply({ object: "list", data }), {
      settings: { "models.overrides": { "custom/test": { kind: "embedding" } } },
    });
    const request = { model: "custom/test", input: ["a", "b", "c"] };
    const { status, body } = await other.host.json<Answer>("POST", "/v1/embeddings", request);
    await other.end();
    expect([status, body.data?.map(({ embedding }) => embedding)]).to.deep.equal([200, vectors]);
  });

  verifies(
    "embeddings:create",
    "count tokens as the provider does, and estimate them where it does not",
    async () => {
      const data = [{ object: "embedding", index: 0, embedding: [0.6, 0.8] }];
      const other = await openStage(
        [
          jsonReply({ data, usage: { prompt_tokens: 97, total_tokens: 97 } }),
          jsonReply({ data }),
          jsonReply({ data, usage: { prompt_tokens: 97, total_tokens: 97 } }),
        ],
        { settings: { "models.overrides": { "custom/test": { kind: "embedding" } } } },
      );
      const request = { model: "custom/test", input: "How do I bake bread?" };
      const first = await other.host.json<Answer>("POST", "/v1/embeddings", request);
      const second = await other.host.json<Answer>("POST", "/v1/embeddings", request);
      const third = await other.host.json<{ prompt_eval_count: number }>("POST", "/api/embed", request);
      await other.end();
      expect(first.body.usage).to.deep.equal({ prompt_tokens: 97, total_tokens: 97 });
      expect(first.body.service_metadata.usage_source).to.equal("provider");
      expect(second.body.usage.total_tokens).to.be.within(1, 20);
      expect(second.body.service_metadata.usage_source).to.equal("estimated");
      expect(third.body.prompt_eval_count).to.equal(97);
    },
  );

  verifies("embeddings:create", "may be shortened", async () => {
    const short =
      (await ask({ model: "default", input: "Hello", dimensions: 64 })).body.data[0]?.embedding ?? [];
    expect(short).to.have.length(64);
    expect(likeness(short, short)).to.be.closeTo(1, 1e-5);
    const long = await ask({ model: "default", input: "Hello", dimensions: 385 });
    expect([long.status, long.body.error?.code, long.body.error?.param]).to.deep.equal([
      400,
      "out_of_range",
      "dimensions",
    ]);
  });

  for (const [what, body, status, code] of [
    ["no input", { model: "default" }, 400, "missing_field"],
    ["an empty text", { model: "default", input: "" }, 400, "invalid_value"],
    ["numbers of tokens", { model: "default", input: [1, 2] }, 400, "invalid_value"],
    ["a model that nobody has", { model: "nowhere/none", input: "Hello" }, 404, "model_not_found"],
    ["a model for chats", { model: "embedded/guide", input: "Hello" }, 400, "invalid_value"],
  ] as const)
    verifies("embeddings:create", `are refused for ${what}`, async () => {
      const answer = await ask(body);
      expect([answer.status, answer.body.error?.code]).to.deep.equal([status, code]);
    });

  for (const input of [
    [1, 2],
    [
      [1, 2],
      [3, 4],
    ],
  ])
    verifies("embeddings:create", `C20: of tokens are refused: ${JSON.stringify(input)}`, async () => {
      const { status, body } = await host.json<{ error: { message: string; param: string } }>(
        "POST",
        "/v1/embeddings",
        { model: "default", input },
      );
      expect([status, body.error.param]).to.deep.equal([400, "input"]);
      expect(body.error.message).to.include("token numbers").and.to.include("send the texts");
    });
});
