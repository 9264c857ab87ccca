import { expect } from "chai";
import { chatReply, streamLines, type ScriptTurn } from "@pergola/sdk/testing";
import { detailOf, sentBody, sentTurns } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

interface Answer {
  readonly content: readonly Readonly<Record<string, unknown>>[];
  readonly stop_reason: string;
  readonly service_metadata: {
    readonly warnings: readonly string[];
    readonly conversation_id: string;
  };
  readonly error: {
    readonly type: string;
    readonly code: string;
    readonly param?: string;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}

const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: unknown) => ({ role: "assistant", content });
const system = (content: unknown) => ({ role: "system", content });
const weather = {
  name: "get_weather",
  description: "The weather in a city",
  input_schema: { type: "object", properties: { city: { type: "string" } } },
};
const search = { type: "web_search_20250305", name: "web_search", max_uses: 8 };

describe("clients of the Messages format", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.end());

  const script = (turns: readonly ScriptTurn[]): void => stage.provider.play(turns.map(chatReply));
  const ask = (body: object, path = "/v1/messages") =>
    stage.host.json<Answer>("POST", path, {
      model: "default",
      max_tokens: 100,
      messages: [user("Hi")],
      ...body,
    });
  const offered = (): readonly string[] => (sentBody(stage).tools ?? []).map((tool) => tool.function.name);
  /** What the model got behind the service's own prompt, as one text without the facts of the moment. */
  const sentText = (index = -1): string =>
    sentBody(stage, index)
      .messages.slice(1)
      .map(({ content }) => String(content).replace(/\n*<context>[^]*<\/context>/, ""))
      .join("\n\n");

  describe("that put system messages between the turns (C1)", () => {
    verifies("messages:system", "have them taken in their place, in every call of the run", async () => {
      script([{ toolCalls: [{ name: "think", arguments: { thoughts: "hm" } }] }, { text: "Yes." }]);
      const messages = [user("One?"), assistant("Ok."), user("Two?"), system("Be brief.")];
      const { status } = await ask({ system: "You help.", messages });
      expect(status).to.equal(200);
      expect(sentText(-2)).to.match(/One\?\n\nOk\.\n\nTwo\?\n\nBe brief\.$/);
      expect(sentText()).to.match(/One\?\n\nOk\.\n\nTwo\?\n\nBe brief\.\n\n[^]*hm/);
    });

    verifies("messages:system", "have none of them stored, and go on in the same conversation", async () => {
      script([{ text: "Yes." }, { text: "Sure." }]);
      const first = [user("Same?"), system("A"), assistant("Right."), user("Same?"), system("B")];
      const { body } = await ask({ messages: first });
      const { conversation_id: id } = body.service_metadata;
      expect(sentText()).to.match(/Same\?\n\nA\n\nRight\.\n\nSame\?\n\nB$/);
      const next = [...first, assistant("Yes."), user("And?"), system([{ type: "text", text: "C" }])];
      await ask({ messages: next, conversation_id: id });
      expect(sentText()).to.match(/B\n\nYes\.\n\nAnd\?\n\nC$/);
      expect((await detailOf(stage.host, id)).messages.map(({ role }) => role)).to.deep.equal([
        ..."user assistant user assistant user assistant".split(" "),
      ]);
    });

    verifies("messages:system", "have them counted", async () => {
      const messages = [user("Hi"), system("x".repeat(400))];
      const { body } = await stage.host.json<{ input_tokens: number }>(
        "POST",
        "/v1/messages/count_tokens?beta=true",
        { model: "default", messages, tools: [search], thread: { type: "create" } },
      );
      expect(body.input_tokens).to.be.within(100, 115);
    });
  });

  verifies("messages:create", "name an unknown model and get 404", async () => {
    const { status, body } = await ask({ model: "claude-opus-4-6" });
    expect([status, body.error.type, body.error.code]).to.deep.equal([
      404,
      "not_found_error",
      "model_not_found",
    ]);
  });

  verifies("messages:thread", "continue a thread and hear that it is not here (C7)", async () => {
    script([{ text: "Ok." }]);
    expect((await ask({ thread: { type: "create" } })).status).to.equal(200);
    const count = stage.provider.requests.length;
    const { status, body } = await ask({ thread: { type: "continue", previous_message_id: "msg_1" } });
    expect([status, body.error.type, body.error.param]).to.deep.equal([
      400,
      "invalid_request_error",
      "thread",
    ]);
    expect(body.error.details).to.deep.equal({ error_code: "thread_not_found" });
    expect(stage.provider.requests.length).to.equal(count);
  });

  describe("that list tools which a vendor runs (C15)", () => {
    verifies("messages:left-out", "get the rest, with a warning", async () => {
      script([{ text: "Ok." }]);
      const { status, body } = await ask({ tools: [search, weather], top_k: 5 }, "/v1/messages?beta=true");
      expect([status, offered()]).to.deep.equal([200, ["get_weather"]]);
      expect(body.service_metadata.warnings.join("\n")).to.match(/top_k[^]*tools\[0\].*web_search_20250305/);
    });

    verifies(
      "messages:left-out",
      "get no built-in tools in their place, nor the choice of them",
      async () => {
        script([{ text: "Ok." }]);
        const choice = { type: "tool", name: "web_search" };
        const { status, body } = await ask({ tools: [search], tool_choice: choice });
        expect([status, offered()]).to.deep.equal([200, []]);
        expect(sentBody(stage)).to.not.have.property("tool_choice");
        expect(body.service_metadata.warnings.join("\n")).to.match(/tool_choice was left out/);
      },
    );

    verifies("messages:left-out", "get warnings in a stream too", async () => {
      script([{ text: "Ok." }]);
      const body = { model: "default", max_tokens: 9, messages: [user("Hi")], tools: [search], stream: true };
      const lines: string[] = [];
      for await (const line of streamLines(await stage.host.request("POST", "/v1/messages", body)))
        lines.push(line);
      const end = lines.map((line) => JSON.parse(line) as Answer & { type: string });
      const { service_metadata: metadata } = end.find(({ type }) => type === "message_delta") as Answer;
      expect(metadata.warnings.join()).to.contain("web_search_20250305");
    });

    verifies("messages:left-out", "may have their blocks in the history", async () => {
      script([{ text: "Ok." }]);
      const { status, body } = await ask({
        messages: [
          user("Search."),
          assistant([
            { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "x" } },
            { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] },
            { type: "text", text: "Found." },
          ]),
          user("Go on"),
        ],
      });
      expect(status).to.equal(200);
      expect(sentTurns(stage)).to.deep.equal(["user: Search.", "assistant: Found.", "user: Go on"]);
      expect(body.service_metadata.warnings.join("\n")).to.contain("messages[1].content[0]");
    });
  });

  verifies(
    "messages:tools",
    "that search their own tools have what they found told to the model",
    async () => {
      script([{ text: "Rain." }]);
      const found = { type: "tool_reference", tool_name: "get_weather" };
      const messages = [
        user("Weather?"),
        assistant([{ type: "tool_use", id: "a", name: "ToolSearch", input: { query: "weather" } }]),
        user([{ type: "tool_result", tool_use_id: "a", content: [found] }]),
      ];
      const search = { name: "ToolSearch", input_schema: { type: "object" } };
      const { status, body } = await ask({ messages, tools: [search, { ...weather, defer_loading: true }] });
      expect([status, body.service_metadata.warnings]).to.deep.equal([200, []]);
      expect(offered()).to.deep.equal(["ToolSearch", "get_weather"]);
      expect(sentText()).to.include("The tool get_weather can be called now.");
    },
  );

  verifies("messages:input", "give the older output_format (C16)", async () => {
    script([{ text: "{}" }]);
    const schema = { type: "object", properties: { a: { type: "string" } } };
    await ask({ output_format: { type: "json_schema", schema } });
    expect(sentBody(stage)["response_format"]).to.deep.equal({
      type: "json_schema",
      json_schema: { name: "answer", schema },
    });
  });

  verifies("messages:tools", "get arguments that are no JSON as they are (C17)", async () => {
    const broken = '{"city":"Os';
    const turn = { toolCalls: [{ name: "get_weather", arguments: [broken] }] };
    script([turn]);
    const { body } = await ask({ tools: [weather] });
    expect(body.content[0]).to.deep.include({ type: "tool_use", input: { raw: broken } });
    expect(body.service_metadata.warnings.join()).to.contain(
      "the arguments of get_weather are no JSON object",
    );
  });

  describe("that send documents (C14)", () => {
    const shown = async (block: object) => {
      script([{ text: "Ok." }]);
      const { status, body } = await ask({ messages: [user([block, { type: "text", text: "Read." }])] });
      expect(status, JSON.stringify(body)).to.equal(200);
      const [turn = ""] = sentTurns(stage);
      return { turn, warnings: body.service_metadata.warnings };
    };
    const base64 = (text: string) => Buffer.from(text).toString("base64");

    verifies("messages:input", "have their text read", async () => {
      const plain = { type: "base64", media_type: "text/markdown", data: base64("# Größe") };
      expect((await shown({ type: "document", source: plain })).turn).to.equal("user: # Größe\n\nRead.");
      const content = { type: "content", content: [{ type: "text", text: "Inner." }] };
      const { turn, warnings } = await shown({ type: "document", title: "T", source: content });
      expect([turn, warnings]).to.deep.equal(["user: T\n\nInner.\n\nRead.", []]);
      const hit = {
        type: "search_result",
        title: "T",
        source: "https://a.example",
        content: [{ type: "text", text: "B" }],
      };
      expect((await shown(hit)).turn).to.equal("user: T\nhttps://a.example\n\nB\n\nRead.");
    });

    verifies("messages:left-out", "that cannot be read get a warning, and the model a line", async () => {
      const source = { type: "file", file_id: "file_1" };
      const { turn, warnings } = await shown({ type: "document", source });
      expect(turn).to.match(/a document that cannot be read[^]*Read\./);
      expect(warnings.join()).to.contain("messages[0].content[0]");
    });
  });
});
