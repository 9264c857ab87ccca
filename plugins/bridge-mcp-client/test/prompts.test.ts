import { expect } from "chai";
import type { ChatMessage, ModelCall } from "@pergola/sdk";
import { calledIn, withBlocks } from "../prompts/called-prompts.ts";
import { fillArguments, usageOf } from "../prompts/fill-arguments.ts";
import { commandsOf, promptOf } from "../prompts/server-prompt.ts";

const field = (name: string, required = true) => ({ name, description: "", required });
const page = { name: "page", description: "", arguments: [field("title"), field("language", false)] };
const fill = (words: string, prompt = page) => fillArguments("wiki:page", prompt, words);
const user = (content: ChatMessage["content"]): ChatMessage => ({ role: "user", content });

describe("the words behind a command", () => {
  for (const [words, values] of [
    ["Home", { title: "Home" }],
    ['"Home page" de', { title: "Home page", language: "de" }],
    ["'Home page'  de", { title: "Home page", language: "de" }],
    ['"a \\"b\\" \\\\c"', { title: 'a "b" \\c' }],
    ['a"b c', { title: 'a"b', language: "c" }],
    ["Home a long  way", { title: "Home", language: "a long  way" }],
    ['"" de', { title: "", language: "de" }],
    ['"unended', { title: '"unended' }],
    ["Zürich\nfr", { title: "Zürich", language: "fr" }],
  ] as const)
    it(`fill arguments: ${JSON.stringify(words)}`, () => {
      expect(fill(words)).to.deep.equal(values);
    });

  it("go to the one argument there is, and to none where there is none", () => {
    const one = { ...page, arguments: [field("text")] };
    expect(fill("All of 'this' is it", one)).to.deep.equal({ text: "All of 'this' is it" });
    expect(fill("and more", { ...page, arguments: [] })).to.deep.equal({});
  });

  it("are named where they are missing", () => {
    expect(usageOf("wiki:page", page)).to.equal("/wiki:page <title> [language]");
    expect(() => fill("")).to.throw("/wiki:page needs title. Write: /wiki:page <title> [language]");
  });
});

describe("prompts of a server", () => {
  const named = (name: string) => promptOf({ name });

  it("are commands, the first of those that come to the same", () => {
    const commands = commandsOf("wiki", ["a b", "a-b", "日本", "../x", ""].map(named));
    expect([...commands].map(([command, { name }]) => [command, name])).to.deep.equal([
      ["wiki:a-b", "a b"],
      ["wiki:..-x", "../x"],
    ]);
  });

  it("are read whatever a server sends", () => {
    const read = promptOf({
      name: "a",
      description: 1,
      arguments: [null, "x", { name: "b\u202e", required: 1 }],
    });
    expect(read).to.deep.equal({
      name: "a",
      description: "",
      arguments: [{ name: "b\\u{202e}", description: "", required: false }],
    });
  });
});

describe("a prompt that is called", () => {
  for (const [text, command] of [
    ["/wiki:page Home", "wiki:page"],
    ["  /wiki:a.b-c_d", "wiki:a.b-c_d"],
    ["/wiki:page\nHome", "wiki:page"],
    ["/wiki", undefined],
    ["/Wiki:page", undefined],
    ["/wiki:page/more", undefined],
    ["See /wiki:page", undefined],
    ["http://wiki:page", undefined],
  ] as const)
    it(`by ${JSON.stringify(text)} is ${command ?? "none"}`, () => {
      expect(calledIn({ messages: [user("/old:one"), user(text)] })?.command).to.equal(command);
      expect(calledIn({ messages: [user([{ type: "text", text }])] })?.command).to.equal(command);
    });

  it("stands behind its own message, each call behind its own, and is gone with it", () => {
    const block = (message: string, text: string) => ({ runId: "r", command: "wiki:page", message, text });
    const blocks = [block("/wiki:now", "ONE"), block("/wiki:now", "TWO"), block("/gone:x", "GONE")];
    const call = (...texts: readonly string[]) =>
      ({ model: "m", messages: texts.map((text) => user(text)) }) as unknown as ModelCall;
    const shaped = (...texts: readonly string[]) =>
      withBlocks(call(...texts), blocks).messages.map(({ content }) => content);
    expect(shaped("/wiki:now", "Go on", "/wiki:now\n\n<memory>")).to.deep.equal([
      "/wiki:now\n\nONE",
      "Go on",
      "/wiki:now\n\n<memory>\n\nTWO",
    ]);
    expect(shaped("Go on", "/wiki:nowhere")).to.deep.equal(["Go on", "/wiki:nowhere"]);
    const untouched = call("Hello");
    expect(withBlocks(untouched, blocks)).to.equal(untouched);
  });
});
