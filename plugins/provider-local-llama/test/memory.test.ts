import { expect } from "chai";
import { AppError } from "@pergola/sdk";
import { checkMemory } from "../runtime/memory.ts";

const gigabyte = 1e9;
/** 4 GB of weights, 1 GB for each 4,096 tokens. */
const need = { weights: 4 * gigabyte, context: (tokens: number) => (tokens / 4096) * gigabyte };
const refusal = (tokens: number, available: number): string => {
  try {
    checkMemory(need, tokens, available);
    return "";
  } catch (error) {
    if (!AppError.is(error)) throw error;
    expect(error.code).to.equal("provider_error");
    return error.message;
  }
};

describe("the memory for a model", () => {
  it("suffices where model and context fit with a little to spare", () => {
    expect(refusal(8192, 6.4 * gigabyte)).to.equal("");
  });

  it("is refused with the figures, and the context that would fit", () => {
    const text = refusal(8192, 6 * gigabyte);
    expect(text).to.include(
      "6.0 GB (4.0 GB for the model, 2.0 GB for a context of 8192 tokens), 6.0 GB are available",
    );
    expect(text).to.include("A context of 4096 tokens would fit: set local.context_size");
  });

  it("is refused with the size of a file that would fit, where no context does", () => {
    expect(refusal(8192, 3 * gigabyte)).to.include("A model file of at most 2.7 GB would fit");
    expect(refusal(8192, 1000)).to.include("A model file of at most 0 MB would fit");
  });
});
