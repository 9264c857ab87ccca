import { expect } from "chai";
import {
  chatChunk,
  chatReply,
  cutReply,
  doneFrame,
  frame,
  streamLines,
  type MockReply,
} from "@pergola/sdk/testing";
import { chat, sentBody, user } from "../support/chat.ts";
import { calling, openLab, saying } from "../support/lab-stage.ts";
import { ask, openStage, type Stage } from "../support/host.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { verifies } from "../support/verifies.ts";

const hello = frame(chatChunk({ content: "Hello" }));
const stop = frame(chatChunk({}, "stop"));
const whole = chatReply({ text: "Hello" });
const crlf = (reply: MockReply): MockReply => ({
  ...reply,
  body: reply.body.map((piece) => (typeof piece === "string" ? piece.replaceAll("\n", "\r\n") : piece)),
});

/** Faults in the middle of an answer, and whether it counts as whole all the same. */
const faults: Readonly<Record<string, readonly [MockReply, isWhole: boolean]>> = {
  "a reset": [{ body: [hello, { delayMs: 5 }, { reset: true }] }, false],
  "half a chunk": [cutReply({ body: [hello, hello] }, hello.length + 20), false],
  "no end at all": [{ body: [hello] }, false],
  "no [DONE]": [{ body: [hello, stop] }, true],
  "no reason": [{ body: [hello, doneFrame] }, true],
  "a garbage line": [{ body: [hello, "data: garbage\n\n", stop, doneFrame] }, true],
  "a byte order mark": [{ ...whole, body: ["\uFEFF", ...whole.body] }, true],
  "CR LF": [crlf(whole), true],
  "a wrong content type": [{ ...whole, headers: { "content-type": "text/plain" } }, true],
  "a damaged chunk": [{ body: [hello, 'data: {"choices":[{"del\n\n', stop] }, false],
  "an error in the stream": [
    { body: [hello, frame({ error: { code: 529, message: "overloaded" } })] },
    false,
  ],
  "a byte at a time": [
    { body: [...Buffer.from(hello + stop)].flatMap((byte) => [Uint8Array.of(byte), { delayMs: 0 }]) },
    true,
  ],
};

/** Content and whether an error was told, of a chat in either mode. */
async function outcome(
  stage: Stage,
  stream: boolean,
): Promise<{ readonly content: string; readonly failed: boolean }> {
  if (!stream) {
    const { status, body } = await chat(stage, { messages: [user("Hello")] });
    const failed = status !== 200 || body.service_metadata.workflow["completion_reason"] === "error";
    return { content: (body.choices?.[0]?.message.content as string | null | undefined) ?? "", failed };
  }
  const answer = await stage.host.request("POST", "/api/chat/completions", ask("Hello", { stream: true }));
  let content = "";
  let failed = false;
  for await (const line of streamLines(answer)) {
    if (line === "[DONE]") continue;
    const chunk = JSON.parse(line) as {
      readonly error?: object;
      readonly choices?: readonly { readonly delta: { readonly content?: string } }[];
    };
    failed ||= chunk.error !== undefined;
    content += chunk.choices?.[0]?.delta.content ?? "";
  }
  return { content: content.replace(/\n\nError: [^]*$/, ""), failed };
}

describe("a provider that breaks in the middle of an answer", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.end());

  for (const [what, [reply, isWhole]] of Object.entries(faults)) {
    for (const stream of [false, true]) {
      verifies(
        "http:status-table",
        `by ${what}, ${stream ? "streamed" : "not streamed"}: ${isWhole ? "a whole answer" : "an error, once"} (F9)`,
        async () => {
          const before = stage.provider.requests.length;
          stage.provider.play(reply);
          const { content, failed } = await outcome(stage, stream);
          expect(failed).to.equal(!isWhole);
          if (isWhole || stream) expect(content).to.equal("Hello");
          expect(stage.provider.requests.length - before).to.equal(1);
        },
      );
    }
  }
});

const lists = { name: "lab", arguments: '{"operation":"peek","name":"x"}' } as const;

/** What models call; each gets an answer, most a refusal, and the loop goes on. */
const badCalls: Readonly<Record<string, string>> = {
  "cut JSON": '{"operation":"pe',
  "no object": "[1]",
  "a text": '"peek"',
  "an unknown operation": '{"operation":"fly"}',
  "no operation": "{}",
  "a prototype's key": '{"__proto__":{"operation":"peek","name":"x"}}',
  "arguments that fail the schema": '{"operation":"peek"}',
};

describe("a call that is wrong", () => {
  let stage: Stage;
  before(async () => {
    stage = await openLab([], {
      settings: {
        "models.overrides": {
          "custom/test": { supportsTools: true },
          "custom/plain": { supportsTools: false },
        },
      },
    });
  });
  beforeEach(() => lab.reset());
  after(() => stage.end());

  async function answersTo(
    reply: MockReply,
    model: string,
    stream: boolean,
  ): Promise<readonly { readonly role: string; readonly content: unknown }[]> {
    stage.provider.play([reply, saying("Sorry.")]);
    const response = await stage.host.request("POST", "/api/chat/completions", {
      model,
      messages: [user("Do it")],
      stream,
    });
    expect(await response.text()).to.include("Sorry.");
    return sentBody(stage).messages;
  }

  for (const stream of [false, true]) {
    const mode = stream ? "streamed" : "not streamed";
    for (const [what, args] of Object.entries(badCalls)) {
      verifies(
        "loop:tools",
        `with ${what}, ${mode}, is answered with a failure, and the loop goes on (F10)`,
        async () => {
          const messages = await answersTo(
            calling({ name: "lab", arguments: args }, { ...lists, id: "call_b" }),
            "custom/test",
            stream,
          );
          const results = messages
            .filter(({ role }) => role === "tool")
            .map(({ content }) => JSON.parse(String(content)) as { success: boolean });
          expect(results.map(({ success }) => success)).to.deep.equal([false, true]);
        },
      );

      verifies(
        "models:prompt-tools",
        `with ${what}, ${mode}, written by a model without tools, is answered the same way (F10)`,
        async () => {
          const text = `<tool_call>{"name":"lab","arguments":${args}}</tool_call>`;
          const messages = await answersTo(chatReply({ text: [...text] }), "custom/plain", stream);
          const told = messages.at(-1);
          expect(told?.role).to.equal("user");
          expect(told?.content).to.match(/^<tool_response>\{"name":"lab","content":\{"success":false,/);
        },
      );
    }

    verifies(
      "loop:tools",
      `of a tool that there is not, with an id that is empty or given twice, ${mode}, is answered too (F10)`,
      async () => {
        const calls = calling(
          { name: "nothing", arguments: "{}", id: "" },
          { ...lists, id: "same" },
          { ...lists, id: "same" },
        );
        const messages = await answersTo(calls, "custom/test", stream);
        const results = messages.filter(({ role }) => role === "tool");
        expect(
          results.map(({ content }) => (JSON.parse(String(content)) as { success: boolean }).success)[0],
        ).to.equal(false);
        const asked = messages.findLast(({ role }) => role === "assistant") as unknown as {
          readonly tool_calls: readonly { readonly id: string }[];
        };
        expect(asked.tool_calls.length).to.equal(results.length);
      },
    );
  }
});

describe("a model without tools", () => {
  let stage: Stage;
  before(async () => {
    stage = await openLab([], {
      settings: { "models.overrides": { "custom/test": { supports_tools: false } } },
    });
  });
  beforeEach(() => lab.reset());
  after(() => stage.end());

  const written =
    '<think>I could <tool_call>{"name":"lab"}</tool_call></think>Let me look.<tool_call>{"name":"lab","arguments":{"operation":"peek","name":"seen"}}</tool_call>';

  for (const stream of [false, true]) {
    verifies(
      "models:prompt-tools",
      `calls the tools of its prompt; their text never reaches content, ${stream ? "streamed" : "not streamed"}`,
      async () => {
        stage.provider.play([chatReply({ text: [...written] }), saying("Done.")]);
        const { content, failed } = await outcome(stage, stream);
        expect([content.split("\n\n").at(-1), failed, lab.count("end seen")]).to.deep.equal([
          "Done.",
          false,
          1,
        ]);
        const [first, second] = [sentBody(stage, -2), sentBody(stage, -1)];
        expect([first.tools, second.tools]).to.deep.equal([undefined, undefined]);
        expect(first.messages[0]?.content).to.include('{"name":"lab","description":');
        expect(second.messages[0]).to.deep.equal(first.messages[0]);
        const [asked, result] = second.messages.slice(-2);
        expect([asked?.role, asked?.content]).to.deep.equal([
          "assistant",
          'Let me look.\n\n<tool_call>{"name":"lab","arguments":{"operation":"peek","name":"seen"}}</tool_call>',
        ]);
        expect(result?.content).to.include('<tool_response>{"name":"lab","content":{"success":true');
      },
    );
  }

  verifies("models:prompt-tools", "hands the calls of a caller's tools to the caller", async () => {
    stage.provider.play(chatReply({ text: '<tool_call>{"name":"mine","arguments":{"a":1}}</tool_call>' }));
    const tools = [
      {
        type: "function",
        function: {
          name: "mine",
          description: "Mine.",
          parameters: { type: "object", properties: { a: { type: "number" } } },
        },
      },
    ];
    const { body } = await chat(stage, { messages: [user("Go")], tools });
    expect(body.choices[0]).to.deep.include({ finish_reason: "tool_calls" });
    expect(body.choices[0]?.message["tool_calls"]).to.have.nested.property(
      "[0].function.arguments",
      '{"a":1}',
    );
  });
});

describe("a runtime that cuts the context", () => {
  const counting = (prompt: number): MockReply =>
    chatReply([{ text: "Hm." }, { usage: { promptTokens: prompt, completionTokens: 1 } }]);

  verifies(
    "models:context-cut",
    "is told of when it counts under half of what was sent, and an image is not counted by its bytes",
    async () => {
      const settings = { "models.overrides": { "custom/test": { contextWindow: 100_000 } } };
      const stage = await openStage(undefined, { settings });
      const warningsFor = async (content: unknown, prompt: number): Promise<readonly string[]> => {
        stage.provider.play(counting(prompt));
        const { body } = await chat(stage, {
          messages: [user(content)],
          service_config: { builtin_tools: "none" },
        });
        return body.service_metadata.warnings.filter(
          (text) => text === "context may have been cut by the runtime",
        );
      };
      expect(await warningsFor("word ".repeat(20_000), 4096)).to.have.length(1);
      expect(await warningsFor("word ".repeat(20_000), 20_000)).to.deep.equal([]);
      const image = { type: "image_url", image_url: { url: `data:image/png;base64,${"A".repeat(200_000)}` } };
      expect(await warningsFor([{ type: "text", text: "What?" }, image], 10_000)).to.deep.equal([]);
      await stage.end();
    },
  );
});
