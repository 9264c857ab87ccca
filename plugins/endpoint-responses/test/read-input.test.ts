import { expect } from "chai";
import type { Json } from "@pergola/sdk";
import { readInput } from "../read-input.ts";

const call = (id: string) => ({ type: "function_call", call_id: id, name: "look", arguments: "{}" });
const output = (id: string, text: Json = "seen") => ({
  type: "function_call_output",
  call_id: id,
  output: text,
});
const said = (text: string) => ({
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text, annotations: [] }],
});
const user = { role: "user", content: "Hi" };
const messagesOf = (input: Parameters<typeof readInput>[0]) => readInput(input).messages;
const failure = (input: readonly object[]): unknown => {
  try {
    return readInput(input as never);
  } catch (error) {
    return error;
  }
};

describe("the input of a response", () => {
  it("is a user message when it is a text", () => {
    expect(messagesOf("Hello")).to.deep.equal([{ role: "user", content: "Hello" }]);
  });

  it("folds what the assistant said in one go into one message", () => {
    const reasoning = {
      type: "reasoning",
      id: "rs_1",
      summary: [{ type: "summary_text", text: "A tool helps." }],
    };
    expect(
      messagesOf([
        user,
        reasoning,
        said("Looking."),
        call("a"),
        call("b"),
        output("a"),
        output("b"),
        said("Done."),
        user,
      ]),
    ).to.deep.equal([
      user,
      {
        role: "assistant",
        content: "Looking.",
        reasoning: "A tool helps.",
        toolCalls: [
          { id: "a", name: "look", arguments: "{}" },
          { id: "b", name: "look", arguments: "{}" },
        ],
      },
      { role: "tool", toolCallId: "a", content: "seen" },
      { role: "tool", toolCallId: "b", content: "seen" },
      { role: "assistant", content: "Done." },
      user,
    ]);
  });

  it("begins a new turn of the assistant behind calls", () => {
    const roles = messagesOf([user, call("a"), said("More."), call("b"), output("a"), output("b")]);
    expect(roles.map(({ role, toolCalls = [] }) => [role, ...toolCalls.map(({ id }) => id)])).to.deep.equal([
      ["user"],
      ["assistant", "a"],
      ["assistant", "b"],
      ["tool"],
      ["tool"],
    ]);
  });

  it("leaves out reasoning that nothing follows", () => {
    expect(
      messagesOf([user, { type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }] }]),
    ).to.deep.equal([user]);
  });

  it("keeps pictures, and joins parts that are all text", () => {
    const image = { type: "input_image", image_url: "data:image/png;base64,AA==", detail: "low" };
    const text = (words: string) => ({ type: "input_text", text: words });
    expect(messagesOf([{ role: "user", content: [text("one"), text("two")] }])).to.deep.equal([
      { role: "user", content: "one\ntwo" },
    ]);
    expect(messagesOf([{ role: "user", content: [text("What is it?"), image] }])[0]?.content).to.deep.equal([
      { type: "text", text: "What is it?" },
      { type: "image_url", image_url: { url: "data:image/png;base64,AA==", detail: "low" } },
    ]);
  });

  it("takes developer messages for system ones", () => {
    expect(messagesOf([{ role: "developer", content: "Be brief." }, user])[0]).to.deep.equal({
      role: "system",
      content: "Be brief.",
    });
  });

  const refused: Readonly<Record<string, readonly [item: object, param: string]>> = {
    "a role that is not known": [{ role: "tool", content: "x" }, "input[1].role"],
    "content that is none": [{ role: "user", content: 7 }, "input[1].content"],
    "a picture by file name": [
      { role: "user", content: [{ type: "input_image", image_url: "file:///etc/passwd" }] },
      "input[1].content[0]",
    ],
    "a call without id": [{ type: "function_call", name: "look", arguments: "{}" }, "input[1].call_id"],
    "a call whose arguments are an object": [{ ...call("a"), arguments: {} }, "input[1].arguments"],
    "an output without its call": [{ type: "function_call_output", output: "x" }, "input[1].call_id"],
  };
  for (const [what, [item, param]] of Object.entries(refused)) {
    it(`refuses ${what}, by name`, () => {
      expect(failure([user, item]))
        .to.include({ param })
        .and.to.have.property("code")
        .that.is.oneOf(["invalid_value", "missing_field"]);
    });
  }

  it("refuses an input in which nobody asks anything", () => {
    expect(failure([said("Hello.")])).to.include({ code: "invalid_value", param: "input" });
    expect(failure([{ role: "user", content: "" }])).to.include({ code: "invalid_value", param: "input" });
  });

  it("C2: leaves out items of types that it has nothing for, with a warning that names them", () => {
    const { messages, warnings } = readInput([
      { type: "web_search_call", id: "ws_1", status: "completed" },
      user,
      { type: "constructor" },
    ]);
    expect(messages).to.deep.equal([user]);
    expect(warnings).to.have.lengthOf(2);
    expect(warnings[0]).to.include("input[0]").and.to.include("web_search_call");
    expect(warnings[1]).to.include("input[2]").and.to.include("constructor");
  });

  it("C2: takes calls of custom tools and of functions in a namespace, and their outputs", () => {
    const { messages, warnings } = readInput([
      user,
      { type: "custom_tool_call", call_id: "a", name: "apply_patch", input: "*** Begin Patch" },
      { type: "function_call", call_id: "b", name: "read", namespace: "mcp__files", arguments: "{}" },
      { type: "custom_tool_call_output", call_id: "a", output: "Done!" },
      output("b"),
    ]);
    expect(warnings).to.deep.equal([]);
    expect(messages.slice(1)).to.deep.equal([
      {
        role: "assistant",
        content: null,
        toolCalls: [
          {
            id: "a",
            name: "apply_patch",
            arguments: '{"input":"*** Begin Patch"}',
            form: { freeForm: true },
          },
          {
            id: "b",
            name: "mcp__files__read",
            arguments: "{}",
            form: { namespace: "mcp__files", name: "read" },
          },
        ],
      },
      { role: "tool", toolCallId: "a", content: "Done!" },
      { role: "tool", toolCallId: "b", content: "seen" },
    ]);
  });

  it("C2: takes what a client has run of tools with item types of their own", () => {
    const { messages } = readInput([
      user,
      {
        type: "local_shell_call",
        call_id: "a",
        action: { type: "exec", command: ["ls"] },
        status: "completed",
      },
      { type: "local_shell_call_output", id: "a", output: "file" },
      { type: "shell_call", call_id: "b", action: { commands: ["pwd"] } },
      { type: "shell_call_output", call_id: "b", output: [{ stdout: "/", stderr: "" }] },
    ]);
    expect(messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ name }) => name))).to.deep.equal([
      "local_shell",
      "shell",
    ]);
    expect(messages.filter(({ role }) => role === "tool").map(({ content }) => content)).to.deep.equal([
      "file",
      '[{"stdout":"/","stderr":""}]',
    ]);
  });
});
