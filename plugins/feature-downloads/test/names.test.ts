import { expect } from "chai";
import { targetOf } from "../download-target.ts";
import { isFilename, isRepoId, isRevision, isSha256 } from "../names.ts";

const source = {
  origin: "https://huggingface.co",
  allowedHosts: ["huggingface.co", "files.example", "other.example:8443"],
};
const caught = (request: object): unknown => {
  try {
    return targetOf(request, source);
  } catch (error) {
    return (error as { readonly code?: string }).code;
  }
};

const hostile =
  '.. . ../x x/../y x/.. /x x/ x//y \\x x\\y C:x x:y %2e%2e x%2fy x\0y x\ny ~ ~/x -x .x x. x.. a..b con nul.gguf LPT1 x|y x?y x*y x<y x"y é\u202ex x\u200by'.split(
    " ",
  );

describe("the names of a download", () => {
  it("R16: refuse what leads out of a folder or means something to a file system", () => {
    for (const name of hostile)
      expect([name, isFilename(name), isFilename(`${name}/x.gguf`)]).to.deep.equal([name, false, false]);
    for (const name of hostile)
      expect([name, isRepoId(`owner/${name}`), isRepoId(`${name}/name`)]).to.deep.equal([name, false, false]);
    for (const name of [...hostile, "", "a b"]) expect([name, isRevision(name)]).to.deep.equal([name, false]);
    for (const name of ["", "owner", "a/b/c", "/a", "a/", "own er/x", "ä/b"])
      expect([name, isRepoId(name)]).to.deep.equal([name, false]);
    for (const name of ["", "x.gguf.part", "a/b/c/d/e/f", `${"x".repeat(201)}.gguf`])
      expect([name, isFilename(name)]).to.deep.equal([name, false]);
  });

  it("take what repositories really use", () => {
    for (const name of [
      "model-Q4_K_M.gguf",
      "UD-Q4_K_XL/a-00001-of-00002.gguf",
      "Modèle (v2) +x.gguf",
      "tokenizer.model",
      "模型.gguf",
    ])
      expect([name, isFilename(name)]).to.deep.equal([name, true]);
    for (const name of ["bartowski/Qwen2.5-7B-Instruct-GGUF", "a/b", "mlx-community/x.y_z-4bit"])
      expect([name, isRepoId(name)]).to.deep.equal([name, true]);
    for (const name of ["main", "refs/pr/1", "v1.0", "a".repeat(40)])
      expect([name, isRevision(name)]).to.deep.equal([name, true]);
  });

  it("CVE-2024-37032, CVE-2026-7020: take no digest but 64 hexadecimal digits in lower case", () => {
    expect(isSha256("0123456789abcdef".repeat(4))).to.equal(true);
    for (const digest of [
      "sha256:../../x",
      "a".repeat(63),
      "a".repeat(65),
      "A".repeat(64),
      "%2e%2e",
      `${"a".repeat(64)}\n`,
      "",
      "g".repeat(64),
    ])
      expect(caught({ repoId: "a/b", sha256: digest }), digest).to.equal("invalid_value");
  });

  it("need a repository or an address", () => {
    expect(caught({})).to.equal("missing_field");
    expect(caught({ repoId: "a/b" })).to.deep.equal({
      repoId: "a/b",
      filename: null,
      revision: "main",
      sha256: null,
      url: null,
    });
  });
});

describe("the address of a repository (M2)", () => {
  const whole = { repoId: "a/b", filename: null, revision: "main", sha256: null, url: null };

  it("M2: or its name means all that is needed of it", () => {
    for (const modelUrl of ["a/b", "https://huggingface.co/a/b", "https://huggingface.co/a/b/?x=1#y"])
      expect(caught({ modelUrl }), modelUrl).to.deep.equal(whole);
    const modelUrl = "https://huggingface.co/a/b/tree/v2";
    expect(caught({ modelUrl, filename: "x.gguf" })).to.deep.equal({
      ...whole,
      revision: "v2",
      filename: "x.gguf",
    });
  });

  it("M2: on another host is the address of a file, as before", () => {
    expect(caught({ modelUrl: "https://files.example/a/b.gguf" })).to.include({
      repoId: "files.example/a",
      filename: "b.gguf",
    });
  });
});

describe("the address of a file", () => {
  it("at the source means its repository, revision and file", () => {
    const asked = { repoId: "a/b", filename: "dir/x y.gguf", revision: "refs/pr/1", sha256: null, url: null };
    for (const page of ["resolve", "blob"])
      expect(
        caught({
          modelUrl: `https://huggingface.co/a/b/${page}/refs%2Fpr%2F1/dir/x%20y.gguf?download=true#x`,
        }),
      ).to.deep.equal(asked);
  });

  it("on another allowed host is taken as it is, the host for the owner", () => {
    const url = "https://files.example/models/v1/x.gguf?key=1";
    expect(caught({ modelUrl: url })).to.deep.equal({
      repoId: "files.example/models-v1",
      filename: "x.gguf",
      revision: "main",
      sha256: null,
      url,
    });
    expect(caught({ modelUrl: "https://OTHER.example:8443/x.gguf" })).to.include({
      repoId: "other.example/files",
    });
  });

  it("anywhere else, without TLS, with a password or a hostile name is refused", () => {
    const addresses = [
      "http://files.example/x.gguf",
      "https://evil.example/x.gguf",
      "https://files.example.evil.example/x.gguf",
      "https://user:pw@files.example/x.gguf",
      "https://huggingface.co@evil.example/x.gguf",
      "https://files.example/..%2f..%2fx.gguf",
      "https://files.example/%2e%2e%2fx",
      "https://files.example/a/%00.gguf",
      "https://files.example/a/%zz.gguf",
      "https://files.example/",
      "https://127.0.0.1/x.gguf",
      "file:///etc/passwd",
      "x.gguf",
      "",
    ];
    for (const modelUrl of addresses) expect(caught({ modelUrl }), modelUrl).to.equal("invalid_value");
  });
});
