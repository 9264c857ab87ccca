import { expect } from "chai";
import { chatReply } from "@pergola/sdk/testing";
import { assistant, chat, sentBody, sentTurns, user } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

describe("a chat request", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.end());

  const messages = [user("Hello")];
  const refused = async (body: object) => {
    const before = stage.provider.requests.length;
    const { status, body: answer } = await chat(stage, { messages, ...body });
    expect(stage.provider.requests.length, "the provider is not asked").to.equal(before);
    return { status, ...answer.error };
  };

  verifies(
    ["chat:model", "C18"],
    "finds its model with and without prefix, and by the word default",
    async () => {
      for (const model of ["custom/test", "test", "default", "CUSTOM/test".toLowerCase()]) {
        const { status, body } = await chat(stage, { model, messages });
        expect([status, body.model], model).to.deep.equal([200, "custom/test"]);
        expect(sentBody(stage).model).to.equal("test");
      }
      const { status, body } = await chat(stage, { model: "custom/a/b", messages });
      expect([status, body.model, sentBody(stage).model]).to.deep.equal([200, "custom/a/b", "a/b"]);
    },
  );

  verifies("chat:model", "is 404 model_not_found for a model that nobody has", async () => {
    for (const model of ["nothing", "nothing/test"])
      expect(await refused({ model })).to.include({
        status: 404,
        code: "model_not_found",
        type: "invalid_request_error",
        param: "model",
      });
  });

  verifies("chat:messages", "needs messages, and among them a user message with content", async () => {
    expect(await refused({ messages: undefined })).to.include({
      status: 400,
      code: "missing_field",
      param: "messages",
    });
    for (const given of [
      [],
      [assistant("Hi")],
      [user("")],
      [user(null)],
      [{ role: "system", content: "Be brief." }],
    ])
      expect(await refused({ messages: given }), JSON.stringify(given)).to.include({
        status: 400,
        type: "invalid_request_error",
      });
  });

  verifies("chat:messages", "names the message at fault", async () => {
    const faults: readonly (readonly [object, string])[] = [
      [{ content: "no role" }, "messages[1].role"],
      [{ role: "robot", content: "x" }, "messages[1].role"],
      [{ role: "user", content: 5 }, "messages[1].content"],
      [{ role: "user", content: [{ type: "video" }] }, "messages[1].content[0]"],
      [
        { role: "user", content: [{ type: "image_url", image_url: { url: "http://plain.example/a.png" } }] },
        "messages[1].content[0]",
      ],
      [{ role: "tool", content: "x" }, "messages[1].tool_call_id"],
      [{ role: "assistant", content: null, tool_calls: {} }, "messages[1].tool_calls"],
      [
        { role: "assistant", content: null, tool_calls: [{ function: { name: "f" } }] },
        "messages[1].tool_calls[0].id",
      ],
      [
        { role: "assistant", content: null, tool_calls: [{ id: "c", function: {} }] },
        "messages[1].tool_calls[0].function.name",
      ],
    ];
    for (const [message, param] of faults)
      expect(await refused({ messages: [user("Hi"), message] }), param).to.include({ status: 400, param });
  });

  verifies(
    ["chat:sampling", "C06"],
    "hands its sampling fields to the provider, each time its own",
    async () => {
      const sampling = {
        temperature: 0.2,
        top_p: 0.5,
        max_tokens: 64,
        presence_penalty: 0.5,
        frequency_penalty: -1,
        stop: ["END"],
        seed: 7,
        user: "u",
      };
      await chat(stage, { messages, ...sampling, conversationId: "sampling" });
      expect(sentBody(stage)).to.deep.include(sampling);
      await chat(stage, { messages });
      expect(sentBody(stage)).to.deep.include({ temperature: 0.7, top_p: 1, max_tokens: 2000 });
      expect(sentBody(stage)).to.not.have.any.keys("seed", "stop", "user", "presence_penalty");
      await chat(stage, { messages, max_completion_tokens: 12 });
      expect(sentBody(stage)).to.include({ max_tokens: 12 });
    },
  );

  verifies(
    "chat:sampling",
    "gets no default sampling and no guessed limit where it brings tools of its own (C5)",
    async () => {
      const parameters = { type: "object", properties: { text: { type: "string" } } };
      const tools = [{ type: "function", function: { name: "write", parameters } }];
      await chat(stage, { messages, tools });
      expect(sentBody(stage)).to.not.have.any.keys("temperature", "max_tokens", "top_p");
      await chat(stage, { messages, tools, max_tokens: 9000, temperature: 0.1 });
      expect(sentBody(stage))
        .to.include({ temperature: 0.1, max_tokens: 9000 })
        .and.not.have.property("top_p");
      await chat(stage, { messages, tools: [{ type: "function", function: { name: "think" } }] });
      expect(sentBody(stage)).to.include({ temperature: 0.7, max_tokens: 2000 });
    },
  );

  verifies("chat:sampling", "takes reasoning_effort as the effort of its reasoning (C12)", async () => {
    for (const [given, expected] of [
      ["high", "high"],
      ["xhigh", "high"],
      ["max", "high"],
      ["minimal", "low"],
    ]) {
      await chat(stage, { messages, reasoning_effort: given });
      expect(sentBody(stage)["reasoning_effort"], given).to.equal(expected);
    }
    expect(await refused({ reasoning_effort: "enormous" })).to.include({
      status: 400,
      param: "reasoning_effort",
    });
  });

  verifies("chat:left-out", "warns of fields that nobody here takes (C12)", async () => {
    const odd = { logprobs: true, top_logprobs: 2, logit_bias: { "5": 1 } };
    const { status, body } = await chat(stage, { messages, ...odd });
    expect(status).to.equal(200);
    const { warnings } = body.service_metadata;
    for (const key of Object.keys(odd)) expect(warnings.join("\n")).to.contain(`${key} was left out`);
    const quiet = await chat(stage, { messages, logprobs: false, logit_bias: null });
    expect(quiet.body.service_metadata.warnings).to.deep.equal([]);
  });

  verifies(
    "chat:left-out",
    "says that a part cannot be read, to the model and in a warning (C14)",
    async () => {
      const audio = { type: "input_audio", input_audio: { data: "aGk=", format: "wav" } };
      const { status, body } = await chat(stage, {
        messages: [user([{ type: "text", text: "Listen:" }, audio])],
      });
      expect(status).to.equal(200);
      expect(JSON.stringify(sentBody(stage).messages)).to.match(/Listen:[^]*audio that cannot be read/);
      expect(body.service_metadata.warnings.join()).to.contain("messages[0].content[1]");
    },
  );

  verifies(
    "chat:older-tools",
    "is 400 for functions and function_call, naming what to use (C13)",
    async () => {
      expect(await refused({ functions: [{ name: "f", parameters: {} }] })).to.include({
        status: 400,
        param: "functions",
        message: "functions is not taken any more; use tools, which says the same.",
      });
      expect(await refused({ function_call: "auto" })).to.include({ status: 400, param: "function_call" });
      expect((await chat(stage, { messages, functions: null })).status).to.equal(200);
    },
  );

  verifies("chat:sampling", "cuts max_tokens to the model's output limit", async () => {
    await chat(stage, { messages, max_tokens: 1_000_000 });
    expect(sentBody(stage)).to.include({ max_tokens: 4096 });
  });

  verifies(["chat:sampling", "C06"], "is 400 out_of_range for a field outside its range", async () => {
    const outside = {
      temperature: [-0.1, 2.1],
      top_p: [-1, 1.5],
      max_tokens: [0, -5],
      maxIterations: [0, 1001],
      presence_penalty: [3],
    };
    for (const [param, values] of Object.entries(outside))
      for (const value of values)
        expect(await refused({ [param]: value }), `${param} ${value}`).to.include({
          status: 400,
          code: "out_of_range",
          param,
        });
    expect(await refused({ service_config: { max_iterations: 0 } })).to.include({
      code: "out_of_range",
      param: "service_config.max_iterations",
    });
  });

  verifies("chat:n", "takes one answer only", async () => {
    expect(await refused({ n: 2 })).to.include({ status: 400, code: "invalid_value", param: "n" });
    expect((await chat(stage, { messages, n: 1 })).status).to.equal(200);
  });

  verifies("chat:case", "takes each key in its other case form; the canonical one counts", async () => {
    await chat(stage, { messages, maxTokens: 5, topP: 0.25, serviceConfig: { mcpToolsEnabled: false } });
    expect(sentBody(stage)).to.include({ max_tokens: 5, top_p: 0.25 }).and.not.have.property("tools");
    await chat(stage, { messages, maxTokens: 5, max_tokens: 6, maxCompletionTokens: 7 });
    expect(sentBody(stage)).to.include({ max_tokens: 6 });
    await chat(stage, { messages, service_config: { builtin_tools: "NONE", builtinTools: "all" } });
    expect(sentBody(stage)).to.not.have.property("tools");
    const answers = [
      { role: "assistant", content: "", toolCalls: [{ id: "c1", function: { name: "f" } }] },
      { role: "tool", toolCallId: "c1", content: "4" },
    ];
    expect((await chat(stage, { messages: [...messages, ...answers] })).status).to.equal(200);
  });

  verifies("chat:unknown-keys", "ignores keys that nobody knows", async () => {
    const { status } = await chat(stage, {
      messages: [{ ...user("Hello"), colour: "red" }],
      iteration_number: 3,
      logprobs: null,
      wild: { a: 1 },
    });
    expect(status).to.equal(200);
    expect(sentBody(stage)).to.not.have.any.keys("wild", "iteration_number");
  });

  verifies(["chat:content-parts", "C16"], "takes content as an array of parts", async () => {
    const parts = [
      { type: "text", text: "One" },
      { type: "text", text: "Two" },
    ];
    await chat(stage, { messages: [user(parts)] });
    expect(sentTurns(stage)[0]).to.match(/^user: One\nTwo/);
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    const { status, body } = await chat(stage, { messages: [user([parts[0], image])] });
    expect(status).to.equal(200);
    expect(sentBody(stage).messages.at(-1)?.content).to.be.an("array").that.deep.includes(image);
    expect(
      (
        await stage.host.services.conversations.messages(body.service_metadata.conversation_id, { limit: 1 })
      )[0]?.contentParts,
    ).to.deep.equal([parts[0], image]);
  });

  verifies("chat:legacy-config", "reads sam_config as service_config, which wins key by key", async () => {
    const older = { sam_config: { max_iterations: 5, mcp_tools_enabled: false } };
    const first = await chat(stage, { messages, ...older });
    expect(first.body.service_metadata.workflow).to.include({ max_iterations: 5 });
    const second = await chat(stage, { messages, ...older, service_config: { max_iterations: 6 } });
    expect(second.body.service_metadata.workflow).to.include({ max_iterations: 6 });
    expect(sentBody(stage)).to.not.have.property("tools");
  });

  verifies("C01", "is answered with JSON unless a stream is asked for", async () => {
    const answer = await stage.host.request("POST", "/api/chat/completions", { model: "default", messages });
    expect(answer.headers.get("content-type")).to.equal("application/json; charset=utf-8");
    expect(((await answer.json()) as { object: string }).object).to.equal("chat.completion");
  });

  verifies("http:aliases", "is answered at the paths of both bases alike", async () => {
    stage.provider.play(chatReply({ text: "Same." }));
    for (const base of ["/api", "/v1"]) {
      const { status, body } = await stage.host.json<{
        choices: readonly { message: { content: string } }[];
      }>("POST", `${base}/chat/completions`, { model: "test", messages });
      expect([status, body.choices[0]?.message.content]).to.deep.equal([200, "Same."]);
    }
    const [api, v1] = await Promise.all(
      ["/api/models", "/v1/models"].map((path) => stage.host.json("GET", path)),
    );
    expect(api?.body).to.have.property("data");
    expect(v1?.body).to.deep.equal(api?.body);
  });
});
