import { expect } from "chai";
import { AppError } from "@pergola/sdk";
import { endpointRequest, fakeServices } from "@pergola/sdk/testing";
import { createEmbeddings } from "../routes/create-embeddings.ts";

const asked: unknown[] = [];
const services = fakeServices({
  preferences: { get: () => "embedded/minilm" as never },
  models: {
    embedWith: async (model, texts) => {
      asked.push([model, texts]);
      return { model: `full/${model}`, vectors: texts.map(() => new Float32Array([0.6, 0, 0.8, 0])) };
    },
  },
});

interface Body {
  readonly model: string;
  readonly data: readonly { readonly embedding: string | readonly number[] }[];
  readonly usage: object;
}

const create = async (body: object): Promise<Body> =>
  (
    (await createEmbeddings.handle(
      endpointRequest({ body: { encoding_format: "float", ...body } }),
      services,
    )) as { readonly body: Body }
  ).body;

describe("endpoint-embeddings", () => {
  it("asks the model that is named, or that of memory, for all texts at once", async () => {
    asked.length = 0;
    expect((await create({ model: "m", input: ["a", "b"] })).model).to.equal("full/m");
    await create({ model: "default", input: "c" });
    expect(asked).to.deep.equal([
      ["m", ["a", "b"]],
      ["embedded/minilm", ["c"]],
    ]);
  });

  it("counts a token for each four characters of a text", async () => {
    expect((await create({ model: "m", input: ["12345", "1234"] })).usage).to.deep.equal({
      prompt_tokens: 3,
      total_tokens: 3,
    });
  });

  it("writes 32-bit floats, little-endian, in base64", async () => {
    const { embedding } = (await create({ model: "m", input: "a", encoding_format: "base64" })).data[0]!;
    const bytes = Buffer.from(embedding as string, "base64");
    expect([0, 4, 8, 12].map((at) => Number(bytes.readFloatLE(at).toFixed(3)))).to.deep.equal([
      0.6, 0, 0.8, 0,
    ]);
  });

  it("gives the first dimensions at unit length, and nothing of nothing", async () => {
    expect((await create({ model: "m", input: "a", dimensions: 2 })).data[0]?.embedding).to.deep.equal([
      1, 0,
    ]);
    const error = await create({ model: "m", input: "a", dimensions: 5 }).catch((reason: unknown) => reason);
    expect(AppError.is(error) && [error.code, error.param]).to.deep.equal(["out_of_range", "dimensions"]);
  });
});
