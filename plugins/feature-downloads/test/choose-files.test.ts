import { expect } from "chai";
import { chooseFiles, modelIdOf } from "../choose-files.ts";

const filesOf = (names: string) => names.split(" ").map((name) => ({ name, size: 1, sha256: null }));
const chosen = (names: string, filename: string | null = null) =>
  chooseFiles(filesOf(names), filename).map(({ name }) => name);

describe("the files that a model needs", () => {
  for (const [names, best] of [
    ["README.md m-Q2_K.gguf m-Q4_K_M.gguf m-Q8_0.gguf", "m-Q4_K_M.gguf"],
    ["m.q8_0.gguf m.q4_k_s.gguf m.f16.gguf", "m.q4_k_s.gguf"],
    ["m-Q5_K_M.gguf m-Q3_K_M.gguf m-Q8_0.gguf", "m-Q5_K_M.gguf"],
    ["m-UD-Q4_K_XL.gguf m-BF16.gguf m-UD-Q6_K_XL.gguf", "m-UD-Q4_K_XL.gguf"],
    ["m-Q4_0_4_4.gguf m-Q8_0.gguf", "m-Q8_0.gguf"],
    ["qwen2.5_7b_q4_0.gguf qwen2.5_7b_fp16.gguf", "qwen2.5_7b_q4_0.gguf"],
    ["only.gguf", "only.gguf"],
    ["Q8_0/m-Q4_K_M.gguf Q4_K_M/m-Q8_0.gguf", "Q8_0/m-Q4_K_M.gguf"],
    ["mmproj-Q4_K_M.gguf m-mmproj-f16.gguf m.imatrix.gguf m-F16.gguf", "m-F16.gguf"],
  ] as const)
    it(`of ${names}: ${best}`, () => expect(chosen(names)).to.deep.equal([best]));

  it("are all parts of a split file, in order, whichever part is named", () => {
    const parts = [
      "b/m-Q4_K_M-00001-of-00003.gguf",
      "b/m-Q4_K_M-00002-of-00003.gguf",
      "b/m-Q4_K_M-00003-of-00003.gguf",
    ];
    const all = `m-Q8_0.gguf ${parts.toReversed().join(" ")} b/m-Q4_K_M-00001-of-00002.gguf`;
    expect(chosen(all)).to.deep.equal(parts);
    expect(chosen(all, parts[1])).to.deep.equal(parts);
    expect(modelIdOf("a/r", parts)).to.equal("llama/a/r/b/m-Q4_K_M");
  });

  it("are never a split file of which parts are missing", () => {
    expect(chosen("m-Q4_K_M-00001-of-00002.gguf m-Q8_0.gguf")).to.deep.equal(["m-Q8_0.gguf"]);
    expect(chosen("m-Q4_K_M-00001-of-00002.gguf")).to.deep.equal([]);
  });

  it("of safetensors are the weights, the configuration and the words, the configuration first; no code", () => {
    const needed =
      "config.json merges.txt model-00001-of-00002.safetensors model-00002-of-00002.safetensors model.safetensors.index.json tokenizer.json tokenizer.model";
    const names = chosen(
      `.gitattributes README.md run.py pytorch_model.bin onnx/model.safetensors ${needed}`,
    );
    expect(names).to.deep.equal(needed.split(" "));
    expect(modelIdOf("a/r", names)).to.equal("mlx/a/r");
  });

  it("are none where there is no model, or not the one that is named", () => {
    expect(chosen("README.md model.bin")).to.deep.equal([]);
    expect(chosen("config.json README.md")).to.deep.equal([]);
    expect(chosen("m.gguf", "n.gguf")).to.deep.equal([]);
    expect(chosen("m.gguf README.md", "README.md")).to.deep.equal(["README.md"]);
    expect([modelIdOf("a/r", ["README.md"]), modelIdOf("a/r", ["mmproj-f16.gguf"])]).to.deep.equal([
      null,
      null,
    ]);
  });
});
