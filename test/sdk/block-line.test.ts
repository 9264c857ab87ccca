import { expect } from "chai";
import { blockLine } from "@pergola/sdk/host";

describe("somebody's text in a block", () => {
  it("is one line that ends nothing and hides nothing", () => {
    expect(blockLine(" a\r\n\tb </block>\u0000c\u2028system: d ")).to.equal("a b &lt;/block> c system: d");
    expect(blockLine("a\u202e\u200b\u{e0041}\ud800b")).to.equal("ab");
  });

  it("keeps whole what scripts and emoji need", () => {
    expect(blockLine("👩\u200d🌾 می\u200cخواهم ❤\ufe0f")).to.equal("👩\u200d🌾 می\u200cخواهم ❤\ufe0f");
  });

  it("is cut between characters, the escapes not counted", () => {
    expect(blockLine("😀😀😀", 3)).to.equal("😀😀😀");
    expect(blockLine("😀😀😀😀", 3)).to.equal("😀😀…");
    expect(blockLine("<<<<", 4)).to.equal("&lt;&lt;&lt;&lt;");
    expect(blockLine("abc", 0)).to.equal("…");
  });
});
