import { expect } from "chai";
import type { ModelCall } from "@pergola/sdk";
import {
  chatReply,
  mockProviderServer,
  type MockProviderServer,
  type MockRequest,
} from "@pergola/sdk/testing";
import { ask, fullCall, key, kinds, open } from "./support.ts";

const messages = (reasoning = "") =>
  '"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"List."},' +
  '{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"todo_operations","arguments":"{\\"operation\\":\\"list\\"}"}}]' +
  `${reasoning}},{"role":"tool","content":"[]","tool_call_id":"call_1"}]`;

const tools =
  '"tools":[{"type":"function","function":{"name":"todo_operations","description":"Keep a list.",' +
  '"parameters":{"type":"object","properties":{"operation":{"type":"string"}},"required":["operation"]}}}]';

const penalties = '"presence_penalty":0.1,"frequency_penalty":0.2';
const rest =
  '"seed":7,"response_format":{"type":"json_object"},"tool_choice":"auto","parallel_tool_calls":true,"user":"u1"';
const stream = '"stream":true,"stream_options":{"include_usage":true}';
const content = ',"reasoning_content":"A tool helps."';
const details =
  ',"reasoning_details":[{"type":"reasoning.text","format":"MiniMax-response-v1","index":0,"text":"A tool helps."}]';
const few = '"stop":["END"],"response_format":{"type":"json_object"},"tool_choice":"auto"';
const zai = `{"model":"test",${messages(content)},${tools},"tool_stream":true,"temperature":1,"top_p":0.9,"max_tokens":100,${few},"thinking":{"type":"enabled"},"stream":true}`;
const ollama = `{"model":"test",${messages(',"reasoning":"A tool helps."')},${tools},"temperature":1.2,"top_p":0.9,"max_tokens":100,${penalties},"stop":["END"],"seed":7,"response_format":{"type":"json_object"},"tool_choice":"auto","reasoning_effort":"low",${stream}}`;

interface Expected {
  readonly body: string;
  /** First words of the warnings. */
  readonly leftOut: readonly string[];
}

const expected: Readonly<Record<string, Expected>> = {
  custom: {
    body: `{"model":"test",${messages()},${tools},"temperature":1.2,"top_p":0.9,"max_tokens":100,"repetition_penalty":1.1,${penalties},"stop":["END"],${rest},"reasoning_effort":"low",${stream}}`,
    leftOut: [],
  },
  openai: {
    body: `{"model":"test",${messages()},${tools},"temperature":1.2,"top_p":0.9,"max_completion_tokens":100,${penalties},"stop":["END"],${rest},${stream}}`,
    leftOut: ["repetition_penalty", "thinking"],
  },
  deepseek: {
    body: `{"model":"test",${messages(content)},${tools},"temperature":1.2,"top_p":0.9,"max_tokens":100,${penalties},${few},"thinking":{"type":"enabled"},${stream}}`,
    leftOut: ["repetition_penalty", "seed", "parallel_tool_calls", "user"],
  },
  minimax: {
    body: `{"model":"test",${messages(details)},${tools},"temperature":1,"top_p":0.9,"max_tokens":100,${few},"reasoning_split":true,${stream}}`,
    leftOut: [
      "MiniMax",
      "repetition_penalty",
      "presence_penalty",
      "frequency_penalty",
      "seed",
      "parallel_tool_calls",
      "user",
    ],
  },
  openrouter: {
    body: `{"model":"test",${messages(',"reasoning":"A tool helps."')},${tools},"temperature":1.2,"top_p":0.9,"max_tokens":100,"repetition_penalty":1.1,${penalties},"stop":["END"],${rest},"reasoning":{"effort":"low"},${stream}}`,
    leftOut: [],
  },
  "remote-llama": {
    body: `{"model":"test",${messages(content)},${tools},"temperature":1.2,"top_p":0.9,"max_tokens":100,"repeat_penalty":1.1,${penalties},"stop":["END"],${rest},"chat_template_kwargs":{"enable_thinking":true},${stream}}`,
    leftOut: [],
  },
  "ollama-cloud": { body: ollama, leftOut: ["repetition_penalty", "parallel_tool_calls", "user"] },
  zai: {
    body: zai,
    leftOut: [
      "Z.ai",
      "repetition_penalty",
      "presence_penalty",
      "frequency_penalty",
      "seed",
      "parallel_tool_calls",
      "user",
    ],
  },
  "zai-coding": {
    body: zai,
    leftOut: [
      "Z.ai",
      "repetition_penalty",
      "presence_penalty",
      "frequency_penalty",
      "seed",
      "parallel_tool_calls",
      "user",
    ],
  },
  "github-copilot": {
    body: `{"model":"test",${messages()},${tools},"temperature":1.2,"top_p":0.9,"max_tokens":100,${penalties},"stop":["END"],"seed":7,"response_format":{"type":"json_object"},"tool_choice":"auto","parallel_tool_calls":true,${stream}}`,
    leftOut: ["repetition_penalty", "user", "thinking"],
  },
  ollama: { body: ollama, leftOut: ["repetition_penalty", "parallel_tool_calls", "user"] },
  lmstudio: {
    body: `{"model":"test",${messages()},${tools},"temperature":1.2,"top_p":0.9,"max_tokens":100,"repeat_penalty":1.1,${penalties},"stop":["END"],"seed":7,"response_format":{"type":"json_schema","json_schema":{"name":"answer","schema":{"type":"object"}}},"tool_choice":"auto",${stream}}`,
    leftOut: ["parallel_tool_calls", "user"],
  },
};

describe("what is sent, byte by byte", () => {
  let server: MockProviderServer;
  beforeEach(async () => {
    server = await mockProviderServer(chatReply({ text: "Yes." }));
  });
  afterEach(() => server.close());

  async function sent(type: string, call: Partial<ModelCall>, given: Parameters<typeof open>[1] = {}) {
    const baseUrl = type === "remote-llama" ? server.url : server.baseUrl;
    const { warnings } = await ask(await open(type, { baseUrl, ...given }), call);
    return { request: server.requests.at(-1) as MockRequest, warnings };
  }

  it("asks for JSON alone where the vendor takes no schema", async () => {
    const responseFormat = { type: "json_schema", json_schema: { name: "a", schema: { type: "object" } } };
    for (const [type, format] of [
      ["deepseek", { type: "json_object" }],
      ["zai", { type: "json_object" }],
      ["custom", responseFormat],
      ["lmstudio", responseFormat],
    ] as const) {
      const { request } = await sent(type, { sampling: { responseFormat } });
      expect((request.body as Record<string, unknown>)["response_format"], type).to.deep.equal(format);
    }
  });

  it("is checked here for every kind", () => {
    expect(Object.keys(expected).toSorted()).to.deep.equal(kinds.toSorted());
  });

  for (const [type, { body, leftOut }] of Object.entries(expected)) {
    it(`to ${type}, byte by byte; what it does not know is left out with a warning`, async () => {
      const { request, warnings } = await sent(type, fullCall);
      expect(request.text).to.equal(body);
      expect(warnings.map((text) => text.split(" ")[0])).to.deep.equal(leftOut);
    });

    it(`to ${type}: one path, one key, nothing else of ours`, async () => {
      const { request } = await sent(type, {});
      expect([request.method, request.path]).to.deep.equal(["POST", "/v1/chat/completions"]);
      expect(request.headers).to.include({
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
      });
      expect(request.text).to.not.include(key);
    });
  }

  it("says nothing of fields that are not taken and that nobody asked for", async () => {
    const call = { model: "gpt-5", sampling: { temperature: 0.7, topP: 1, seed: 1 } };
    const said = async (more: object): Promise<readonly string[]> =>
      (await sent("openai", { ...call, ...more })).warnings.map((text) => text.split(" ")[0] ?? "");
    expect(await said({})).to.deep.equal(["temperature", "top_p"]);
    expect(await said({ defaultedSampling: ["topP"] })).to.deep.equal(["temperature"]);
    expect(await said({ defaultedSampling: ["temperature", "topP"] })).to.deep.equal([]);
  });
});
