import { expect } from "chai";
import { resultText } from "../result-text.ts";

describe("the result of an editor's MCP tool", () => {
  const data = Buffer.from("bytes").toString("base64");

  it("has all texts, also those of resources", () => {
    const text = resultText({
      content: [
        { type: "text", text: "Found:" },
        { type: "resource", resource: { uri: "file:///a.md", text: "# A" } },
        { type: "resource_link", name: "b", uri: "file:///b.md" },
      ],
    });
    expect(text).to.equal("Found:\nfile:///a.md:\n# A\n[b: file:///b.md]");
  });

  it("names what is no text", () => {
    const text = resultText({
      content: [
        { type: "image", mimeType: "image/png", data },
        { type: "resource", resource: { uri: "file:///c", blob: data } },
      ],
    });
    expect(text).to.equal("[image/png, 5 bytes, not shown]\nfile:///c: [bytes, 5 bytes, not shown]");
  });

  it("has structured content, once", () => {
    const structuredContent = { count: 2 };
    expect(resultText({ content: [], structuredContent })).to.equal('{"count":2}');
    const said = { content: [{ type: "text" as const, text: '{ "count": 2 }' }], structuredContent };
    expect(resultText(said)).to.equal('{ "count": 2 }');
    expect(resultText({})).to.equal("");
  });
});
