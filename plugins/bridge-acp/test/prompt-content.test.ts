import type { ContentBlock } from "@agentclientprotocol/sdk";
import { expect } from "chai";
import { contentOf } from "../prompt-content.ts";

const text = (words: string): ContentBlock => ({ type: "text", text: words });
const picture: ContentBlock = { type: "image", mimeType: "image/png", data: "AAAA" };
const url = "data:image/png;base64,AAAA";

describe("the content of a prompt", () => {
  it("is one text where it holds text and links alone, in the order in which they were written", () => {
    const link: ContentBlock = { type: "resource_link", name: "a.ts", uri: "file:///a.ts" };
    expect(contentOf([text("See "), link, text(" please")])).to.equal("See [a.ts](file:///a.ts) please");
  });

  it("shows the files that an editor sends along as they are there", () => {
    const file: ContentBlock = { type: "resource", resource: { uri: "file:///a.ts", text: "let a;" } };
    const shown = '<resource uri="file:///a.ts">\nlet a;\n</resource>';
    expect(contentOf([text("Mend it."), file])).to.equal(`Mend it.\n\n${shown}`);
    const bytes: ContentBlock = { type: "resource", resource: { uri: "file:///b", blob: "AAAA" } };
    expect(contentOf([bytes])).to.equal("file:///b (not text: of an unknown type, left out)");
  });

  it("has pictures as parts of their own, and takes no sound", () => {
    expect(contentOf([text("What is it?"), picture])).to.deep.equal([
      { type: "text", text: "What is it?" },
      { type: "image_url", image_url: { url } },
    ]);
    expect(() => contentOf([{ type: "audio", mimeType: "audio/wav", data: "AAAA" }])).to.throw(/audio/);
  });
});
