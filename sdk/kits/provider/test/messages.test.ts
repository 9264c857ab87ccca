import { expect } from "chai";
import type { ChatMessage, OfferedTool } from "@pergola/sdk";
import {
  argumentsOf,
  contentText,
  hasImage,
  mergeNeighbours,
  nonEmptyParts,
  memoizePerTool,
  unpairedResultTitle,
  pairCalls,
  partsOf,
  readDataUrl,
  wireTool,
  wireToolCall,
} from "../index.ts";

const image = { type: "image_url", image_url: { url: "data:image/png;base64,QQ==" } } as const;
const text = (words: string) => ({ type: "text", text: words }) as const;
const result = (toolCallId: string, content = toolCallId): ChatMessage => ({
  role: "tool",
  toolCallId,
  content,
});
const calls = (...ids: readonly string[]): ChatMessage => ({
  role: "assistant",
  content: null,
  toolCalls: ids.map((id) => ({ id, name: "think", arguments: "{}" })),
});

describe("the content of a message", () => {
  it("is parts, whatever form it has", () => {
    expect(partsOf("Hi")).to.deep.equal([text("Hi")]);
    expect(partsOf(null)).to.deep.equal([]);
    expect(nonEmptyParts([text(" \n"), text("a"), image])).to.deep.equal([text("a"), image]);
  });

  it("is text, with or without a word for images", () => {
    const content = [text("a"), image, text("b")];
    expect(contentText(content)).to.equal("a\nb");
    expect(contentText(content, "[image]")).to.equal("a\n[image]\nb");
    expect([contentText("a"), contentText(null)]).to.deep.equal(["a", ""]);
  });

  it("may hold an image", () => {
    expect(hasImage({ role: "user", content: [image] })).to.equal(true);
    expect(hasImage({ role: "user", content: "image_url" })).to.equal(false);
  });

  const urls: readonly (readonly [url: string, expected: object | undefined])[] = [
    ["data:image/PNG;base64,QU\nI=", { type: "image/png", data: "QUI=" }],
    ["data:image/jpg;base64,QQ==", { type: "image/jpeg", data: "QQ==" }],
    ["data:image/svg+xml;charset=utf-8,%3Csvg%3E", { type: "image/svg+xml", data: "PHN2Zz4=" }],
    ["data:image/png,%E0%A4", undefined],
    ["data:,x", undefined],
    ["data:image/png;base64,", undefined],
    ["https://example.com/a.png", undefined],
  ];
  for (const [url, expected] of urls) {
    it(`reads ${JSON.stringify(url)}`, () => {
      expect(readDataUrl(url)).to.deep.equal(expected);
    });
  }
});

describe("the calls of a conversation", () => {
  it("are paired with their results, wherever these stand", () => {
    const messages = [calls("a", "b"), result("b"), { role: "user", content: "?" } as const, result("a")];
    expect(pairCalls(messages)).to.deep.equal([
      { message: messages[0], results: [result("a"), result("b")] },
      { message: messages[2], results: [] },
    ]);
  });

  it("that use an id again have results of their own", () => {
    const messages = [calls("a"), result("a", "1"), calls("a"), result("a", "2"), calls("a")];
    expect(pairCalls(messages).map(({ results }) => results[0]?.content)).to.deep.equal([
      "1",
      "2",
      undefined,
    ]);
    const [first] = pairCalls([calls("a"), calls("a"), result("a")]);
    expect(first?.results).to.deep.equal([undefined]);
  });

  it("leave a result without a call alone", () => {
    expect(pairCalls([result("x"), calls("x")])).to.deep.equal([
      { message: result("x"), results: [] },
      { message: calls("x"), results: [undefined] },
    ]);
    expect(unpairedResultTitle(result("x"))).to.equal("Result of a tool:");
    expect(unpairedResultTitle({ ...result("x"), name: "think" })).to.equal("Result of think:");
  });

  it("have arguments that are an object, whatever the model wrote", () => {
    expect(argumentsOf({ arguments: '{"a":1}' })).to.deep.equal({ a: 1 });
    for (const broken of ["", "[1]", "null", '{"a":'])
      expect(argumentsOf({ arguments: broken })).to.deep.equal({});
  });

  it("have the form of the chat-completions format", () => {
    expect(wireToolCall({ id: "a", name: "think", arguments: "{}" })).to.deep.equal({
      id: "a",
      type: "function",
      function: { name: "think", arguments: "{}" },
    });
  });
});

describe("neighbours", () => {
  it("are merged as long as they can be", () => {
    const merge = (a: number, b: number) => (a % 2 === b % 2 ? a + b : undefined);
    expect(mergeNeighbours([2, 4, 6, 1, 8], merge)).to.deep.equal([12, 1, 8]);
    expect(mergeNeighbours([], merge)).to.deep.equal([]);
  });
});

describe("a tool", () => {
  const tool: OfferedTool = { name: "think", description: "Thinks.", parameters: { type: "object" } };

  it("is translated once", () => {
    let count = 0;
    const translate = memoizePerTool(({ name }, suffix: string) => `${name}${suffix}${count++}`);
    expect([translate(tool, "-"), translate(tool, "+"), translate({ ...tool }, "+")]).to.deep.equal([
      "think-0",
      "think-0",
      "think+1",
    ]);
  });

  it("has the form of the chat-completions format", () => {
    expect(wireTool(tool)).to.deep.equal({ type: "function", function: { ...tool } });
  });
});
