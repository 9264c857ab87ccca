import { expect } from "chai";
import type { ChatMessage, ModelCall } from "@pergola/sdk";
import { key, sent, tool, user } from "./support.ts";

const system = (content: string): ChatMessage => ({ role: "system", content });
const assistant = (content: string | null, ...ids: readonly string[]): ChatMessage => ({
  role: "assistant",
  content,
  ...(ids.length === 0
    ? {}
    : { toolCalls: ids.map((id) => ({ id, name: "read", arguments: '{"path":"a"}' })) }),
});
const result = (toolCallId: string, content: ChatMessage["content"] = '{"success":true}'): ChatMessage => ({
  role: "tool",
  toolCallId,
  name: "read",
  content,
});

const contentsOf = async (messages: readonly ChatMessage[], model = "gemini-2.5-flash") =>
  (await sent({ messages, model })).body.contents;
const configOf = async (given: Partial<ModelCall>) => (await sent(given)).body.generationConfig;

const called = (id: string) => ({ functionCall: { id, name: "read", args: { path: "a" } } });
const answered = (id: string, response: object = { success: true }) => ({
  functionResponse: { id, name: "read", response },
});

describe("what is sent to Gemini", () => {
  it("goes to the model's own address, with the key in a header", async () => {
    const { url, headers, body } = await sent({ model: "gemini-2.5-pro" });
    expect(url).to.equal(
      "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse",
    );
    expect(headers).to.deep.equal({ "content-type": "application/json", "x-goog-api-key": key });
    expect(body).to.deep.equal({ contents: [{ role: "user", parts: [{ text: "Hello" }] }] });
    expect(JSON.stringify(body)).to.not.include(key);
  });

  it("keeps a query of the base address, the person's own headers and fields, and takes no path for a model's name", async () => {
    const settings = {
      baseUrl: "https://proxy.example/g/v1/?team=1",
      headers: { "X-Goog-Api-Key": "other" },
      extra: { body: { safetySettings: [] } },
    };
    const { url, headers, body } = await sent({ model: "tunedModels/a b?c" }, settings);
    expect(url).to.equal(
      "https://proxy.example/g/v1/tunedModels/a%20b%3Fc:streamGenerateContent?team=1&alt=sse",
    );
    expect(headers["x-goog-api-key"]).to.equal("other");
    expect(body["safetySettings"]).to.deep.equal([]);
  });

  it("holds the system messages of the beginning as instruction, later ones as the user's", async () => {
    const { body } = await sent({
      messages: [system("A"), { role: "developer", content: "B" } as never, user("Hi"), system("C")],
    });
    expect(body["systemInstruction"]).to.deep.equal({ parts: [{ text: "A" }, { text: "B" }] });
    expect(body.contents).to.deep.equal([{ role: "user", parts: [{ text: "Hi" }, { text: "C" }] }]);
  });

  it("tells the instruction as the user's to models that take none, and where nothing else is said", async () => {
    const gemma = await sent({ model: "gemma-3-27b-it", messages: [system("A"), user("Hi")] });
    expect(gemma.body).to.deep.equal({
      contents: [{ role: "user", parts: [{ text: "A" }, { text: "Hi" }] }],
    });
    expect((await sent({ messages: [system("A")] })).body).to.deep.equal({
      contents: [{ role: "user", parts: [{ text: "A" }] }],
    });
  });

  it("joins neighbours of one role, drops messages that say nothing, and begins with the user", async () => {
    expect(
      await contentsOf([
        user("1"),
        assistant(""),
        user("2"),
        assistant("a"),
        assistant("b", "x"),
        result("x"),
      ]),
    ).to.deep.equal([
      { role: "user", parts: [{ text: "1" }, { text: "2" }] },
      { role: "model", parts: [{ text: "a" }, { text: "b" }, called("x")] },
      { role: "user", parts: [answered("x")] },
    ]);
    expect((await contentsOf([assistant("a"), user("1")]))[0]).to.deep.include({ role: "user" });
  });

  it("holds parallel calls in one content, their results in the next in the order of the calls, and nothing beside", async () => {
    expect(
      await contentsOf([
        user("Hi"),
        assistant(null, "x", "y"),
        result("y", "text"),
        user("Wait."),
        result("x", "[1]"),
      ]),
    ).to.deep.equal([
      { role: "user", parts: [{ text: "Hi" }] },
      { role: "model", parts: [called("x"), called("y")] },
      { role: "user", parts: [answered("x", { result: "[1]" }), answered("y", { result: "text" })] },
      { role: "user", parts: [{ text: "Wait." }] },
    ]);
  });

  it("answers calls that nobody answered, and tells results without a call as text", async () => {
    expect(
      await contentsOf([user("Hi"), result("lost", "42"), assistant(null, "x"), user("Well?")]),
    ).to.deep.equal([
      { role: "user", parts: [{ text: "Hi" }, { text: "Result of read:\n42" }] },
      { role: "model", parts: [called("x")] },
      { role: "user", parts: [answered("x", { error: "No result of this call is known." })] },
      { role: "user", parts: [{ text: "Well?" }] },
    ]);
  });

  it("keeps calls apart that share an id, and sends {} for arguments that are no object", async () => {
    const contents = await contentsOf([
      user("Hi"),
      assistant(null, "x"),
      result("x", "1"),
      assistant(null, "x"),
      result("x", "2"),
      user("Go"),
    ]);
    expect(
      contents
        .filter(({ parts }) => parts[0]?.["functionResponse"] !== undefined)
        .map(({ parts }) => parts[0]),
    ).to.deep.equal([answered("x", { result: "1" }), answered("x", { result: "2" })]);
    const broken: ChatMessage = {
      role: "assistant",
      content: null,
      toolCalls: [{ id: "z", name: "read", arguments: '{"pa' }],
    };
    expect((await contentsOf([user("Hi"), broken, result("z")]))[1]?.parts).to.deep.equal([
      { functionCall: { id: "z", name: "read", args: {} } },
    ]);
  });

  it("holds images as data or by their address, also those that a tool gave", async () => {
    const image = (url: string) => ({ type: "image_url", image_url: { url } }) as const;
    const [content] = await contentsOf([
      user([
        { type: "text", text: "What?" },
        image("data:image/png;base64,AA=="),
        image("https://x.example/a.JPG?b=1"),
        image("https://x.example/c"),
      ]),
    ]);
    expect(content?.parts).to.deep.equal([
      { text: "What?" },
      { inlineData: { mimeType: "image/png", data: "AA==" } },
      { fileData: { mimeType: "image/jpeg", fileUri: "https://x.example/a.JPG?b=1" } },
      { fileData: { fileUri: "https://x.example/c" } },
    ]);
    const shown = await contentsOf([
      user("Hi"),
      assistant(null, "x"),
      result("x", [{ type: "text", text: "{}" }, image("data:image/svg+xml,%3Csvg/%3E")]),
    ]);
    expect(shown[2]?.parts).to.deep.equal([
      answered("x", {}),
      { inlineData: { mimeType: "image/svg+xml", data: "PHN2Zy8+" } },
    ]);
    const { body, warnings } = await sent({ messages: [user([image("nonsense")])] });
    expect(body.contents[0]?.parts).to.deep.equal([{ text: "[an image was left out]" }]);
    expect(warnings).to.deep.equal(["images were left out: Gemini takes data URLs and addresses"]);
  });

  it("declares tools, and how they are to be chosen", async () => {
    const { body } = await sent({
      tools: [tool, { name: "now", description: "The time.", parameters: { type: "object" } }],
      sampling: { toolChoice: "auto" },
    });
    expect(body["tools"]).to.deep.equal([
      {
        functionDeclarations: [
          {
            name: "todo_operations",
            description: "Keep a list.",
            parameters: {
              type: "object",
              properties: { operation: { type: "string" } },
              required: ["operation"],
            },
          },
          { name: "now", description: "The time." },
        ],
      },
    ]);
    const choices: readonly (readonly [ModelCall["sampling"]["toolChoice"] & {}, unknown])[] = [
      ["auto", { mode: "AUTO" }],
      ["none", { mode: "NONE" }],
      ["required", { mode: "ANY" }],
      [
        { type: "function", function: { name: "now" } },
        { mode: "ANY", allowedFunctionNames: ["now"] },
      ],
    ];
    for (const [toolChoice, functionCallingConfig] of choices)
      expect((await sent({ tools: [tool], sampling: { toolChoice } })).body["toolConfig"]).to.deep.equal({
        functionCallingConfig,
      });
    const odd = await sent({ tools: [tool], sampling: { toolChoice: "perhaps" } });
    expect([odd.body["toolConfig"], odd.warnings]).to.deep.equal([
      undefined,
      ["tool_choice was left out: Gemini does not take this one"],
    ]);
    expect((await sent({ sampling: { toolChoice: "required" } })).body).to.not.have.any.keys(
      "tools",
      "toolConfig",
    );
  });

  it("holds the sampling that Gemini knows; the rest is left out with a warning", async () => {
    const { body, warnings } = await sent({
      tools: [tool],
      sampling: {
        temperature: 3,
        topP: 0.9,
        maxTokens: 100,
        repetitionPenalty: 1.1,
        presencePenalty: 0.1,
        frequencyPenalty: 0,
        stop: ["a", "b", "c", "d", "e", "f"],
        seed: 7,
        parallelToolCalls: false,
        user: "u1",
      },
    });
    expect(body.generationConfig).to.deep.equal({
      temperature: 2,
      topP: 0.9,
      maxOutputTokens: 100,
      seed: 7,
      stopSequences: ["a", "b", "c", "d", "e"],
    });
    expect(warnings).to.deep.equal([
      "repetition_penalty was left out: Gemini does not take it for gemini-3-flash",
      "presence_penalty was left out: Gemini does not take it for gemini-3-flash",
      "user was left out: Gemini does not take it for gemini-3-flash",
      "parallel_tool_calls was left out: Gemini does not take it for gemini-3-flash",
      "Gemini takes temperatures from 0 to 2; 2 was sent instead of 3",
      "Gemini takes 5 stop sequences; the others were left out",
    ]);
    expect(await configOf({ sampling: { stop: "END", parallelToolCalls: true } })).to.deep.equal({
      stopSequences: ["END"],
    });
  });

  it("asks for JSON, and for a form of it, where the model takes that beside tools", async () => {
    const schema = {
      type: "object",
      properties: { n: { type: "integer", exclusiveMinimum: 0 } },
      additionalProperties: false,
    };
    const responseFormat = { type: "json_schema", json_schema: { name: "x", schema } };
    expect(await configOf({ sampling: { responseFormat: { type: "json_object" } } })).to.deep.equal({
      responseMimeType: "application/json",
    });
    expect(await configOf({ sampling: { responseFormat: { type: "text" } } })).to.equal(undefined);
    const formed = {
      responseMimeType: "application/json",
      responseSchema: { type: "object", properties: { n: { type: "integer" } } },
    };
    expect(await configOf({ sampling: { responseFormat } })).to.deep.equal(formed);
    expect(await configOf({ tools: [tool], sampling: { responseFormat } })).to.deep.equal(formed);
    for (const given of [{ model: "gemini-2.5-pro" }, { sampling: { toolChoice: "required" } }]) {
      const { body, warnings } = await sent({
        tools: [tool],
        ...given,
        sampling: { ...given.sampling, responseFormat },
      });
      expect(body.generationConfig).to.equal(undefined);
      expect(warnings[0]).to.match(/^response_format was left out/);
    }
  });
});
