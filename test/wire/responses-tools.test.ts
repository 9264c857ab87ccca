import { expect } from "chai";
import { chatReply, streamLines, type ScriptTurn } from "@pergola/sdk/testing";
import { sentBody } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

interface Answer {
  readonly id: string;
  readonly status: string;
  readonly output: readonly (Readonly<Record<string, unknown>> & { readonly call_id: string })[];
  readonly service_metadata: { readonly warnings: readonly string[] };
  readonly error: { readonly code: string; readonly param?: string } | null;
}

const path = { path: { type: "string" } };

/** The tools of a coding agent as it sends them: types that others run are among them. */
const agentTools = [
  {
    type: "function",
    name: "shell",
    description: "Runs a command",
    strict: false,
    parameters: { type: "object", properties: { command: { type: "array", items: { type: "string" } } } },
  },
  {
    type: "custom",
    name: "apply_patch",
    description: "Use the apply_patch tool to edit files.",
    format: { type: "grammar", syntax: "lark", definition: "start: begin_patch hunk+ end_patch" },
  },
  {
    type: "namespace",
    name: "mcp__files",
    description: "A server's tools",
    tools: [
      {
        type: "function",
        name: "read",
        description: "Reads",
        parameters: { type: "object", properties: path },
      },
    ],
  },
  { type: "web_search", external_web_access: false },
  { type: "local_shell" },
  { type: "mcp", server_label: "x", server_url: "https://example.com" },
  { type: "tool_from_the_future" },
];

const patch = '*** Begin Patch\n*** Add File: a.txt\n+hello "you"\n*** End Patch';
const user = { type: "message", role: "user", content: [{ type: "input_text", text: "Add a file" }] };

describe("the tools of a response", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.end());

  const create = async (body: object, script: readonly ScriptTurn[] = [{ text: "Hello." }]) => {
    stage.provider.play(script.map(chatReply));
    return stage.host.json<Answer>("POST", "/v1/responses", { model: "default", input: [user], ...body });
  };
  const stream = async (body: object, script: readonly ScriptTurn[]) => {
    stage.provider.play(script.map(chatReply));
    const answer = await fetch(`${stage.host.url}/v1/responses`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "default", input: [user], stream: true, ...body }),
    });
    const events: Readonly<Record<string, unknown>>[] = [];
    for await (const line of streamLines(answer)) events.push(JSON.parse(line) as (typeof events)[number]);
    return events;
  };
  const offered = () => (sentBody(stage).tools ?? []).map(({ function: { name } }) => name);

  verifies(
    "responses:custom",
    "C2: a coding agent's tools are taken, those that others run left out",
    async () => {
      const { status, body } = await create({ tools: agentTools, tool_choice: "auto" });
      expect([status, body.status]).to.deep.equal([200, "completed"]);
      expect(offered()).to.deep.equal(["shell", "apply_patch", "mcp__files__read"]);
      const { warnings } = body.service_metadata;
      expect(warnings).to.have.lengthOf(4);
      for (const type of ["web_search", "local_shell", "mcp", "tool_from_the_future"])
        expect(warnings.some((text) => text.includes(`"${type}"`))).to.equal(true);
      const custom = sentBody(stage).tools?.[1]?.function;
      expect(custom?.["description"]).to.include("start: begin_patch hunk+ end_patch");
      expect(custom?.["parameters"]).to.have.nested.property("properties.input.type", "string");
    },
  );

  verifies(
    "responses:custom",
    "C2: a request whose tools are all left out gets none of ours instead",
    async () => {
      await create({ tools: [{ type: "web_search" }], tool_choice: { type: "web_search" } });
      expect(offered()).to.deep.equal([]);
    },
  );

  verifies(
    "responses:custom",
    "a tool with parameters is the caller's, though a built-in family has its name",
    async () => {
      const think = {
        type: "function",
        name: "think",
        parameters: { type: "object", properties: { about: {} } },
      };
      const { body } = await create({ tools: [think] }, [
        { toolCalls: [{ name: "think", arguments: { about: "it" }, id: "call_mine" }] },
      ]);
      expect(body.output.map(({ type, name }) => [type, name])).to.deep.equal([["function_call", "think"]]);
    },
  );

  verifies("responses:custom", "the choice is limited to the tools that allowed_tools lists", async () => {
    const allowed = [{ type: "function", name: "shell" }];
    await create({
      tools: agentTools,
      tool_choice: { type: "allowed_tools", mode: "required", tools: allowed },
    });
    expect([offered(), sentBody(stage)["tool_choice"]]).to.deep.equal([["shell"], "required"]);
    await create({ tools: agentTools, tool_choice: { type: "custom", name: "apply_patch" } });
    expect(sentBody(stage)["tool_choice"]).to.deep.equal({
      type: "function",
      function: { name: "apply_patch" },
    });
  });

  for (const [how, args] of Object.entries({
    "as JSON": JSON.stringify({ input: patch }),
    "as bare text": patch,
  })) {
    verifies(
      "responses:custom",
      `C2: a call of a custom tool is an item with its text, the model having written it ${how}`,
      async () => {
        const events = await stream({ tools: agentTools }, [
          { toolCalls: [{ name: "apply_patch", arguments: [args], id: `call_${how.replaceAll(" ", "_")}` }] },
        ]);
        const types = events.map(({ type }) => type).filter((type) => type !== "keepalive");
        expect(types.slice(2)).to.deep.equal([
          "response.output_item.added",
          "response.custom_tool_call_input.delta",
          "response.custom_tool_call_input.done",
          "response.output_item.done",
          "response.completed",
        ]);
        expect(events[2]?.["item"]).to.include({
          type: "custom_tool_call",
          input: "",
          status: "in_progress",
        });
        expect([events[3]?.["delta"], events[4]?.["input"]]).to.deep.equal([patch, patch]);
        expect(events[5]?.["item"]).to.include({
          type: "custom_tool_call",
          name: "apply_patch",
          input: patch,
          status: "completed",
        });
      },
    );
  }

  verifies(
    "responses:custom",
    "C2: a function in a namespace is called by its namespace and its own name",
    async () => {
      const { body } = await create({ tools: agentTools }, [
        { toolCalls: [{ name: "mcp__files__read", arguments: { path: "a" }, id: "call_ns" }] },
      ]);
      expect(body.output[0]).to.include({
        type: "function_call",
        name: "read",
        namespace: "mcp__files",
        arguments: '{"path":"a"}',
      });
    },
  );

  for (const how of ["with the whole history", "behind the response before"]) {
    verifies(
      "responses:custom",
      `C2: an agent goes on ${how}, with its outputs of custom tools`,
      async () => {
        const call = { name: "apply_patch", arguments: { input: patch }, id: `call_${how.length}` };
        const { body: first } = await create({ tools: agentTools }, [
          [{ text: "I add it." }, { toolCalls: [call] }],
        ]);
        const outputs = [{ type: "custom_tool_call_output", call_id: call.id, output: "Success." }];
        const isWhole = how.includes("whole");
        const { status, body } = await create(
          isWhole
            ? { tools: agentTools, input: [user, ...first.output, ...outputs] }
            : { tools: agentTools, input: outputs, previous_response_id: first.id },
          [{ text: "Done." }],
        );
        expect([status, body.status]).to.deep.equal([200, "completed"]);
        const sent = sentBody(stage).messages.filter(({ role }) => role !== "system");
        expect(sent.map(({ role }) => role)).to.deep.equal(["user", "assistant", "tool"]);
        const made = sent[1]?.["tool_calls"] as readonly { readonly function: object }[];
        expect(made.map((one) => one.function)).to.deep.equal([
          { name: "apply_patch", arguments: JSON.stringify({ input: patch }) },
        ]);
        expect(sent[2]?.content).to.equal("Success.");
      },
    );
  }

  verifies("responses:custom", "C2: items of tools that others ran are left out with a warning", async () => {
    const { status, body } = await create({
      input: [
        user,
        { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAAA" },
        { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "x" } },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "Found." }] },
        { type: "message", role: "user", content: [{ type: "input_text", text: "Go on" }] },
      ],
    });
    expect(status).to.equal(200);
    expect(body.service_metadata.warnings.join()).to.include("web_search_call").and.to.include("input[2]");
  });

  verifies(
    "responses:references",
    "C3: a reference stands for a text before a call, as SDKs send it",
    async () => {
      const call = { name: "shell", arguments: { command: ["ls"] }, id: "call_ref" };
      const { body: first } = await create({ tools: agentTools, reasoning: { summary: "auto" } }, [
        [{ reasoning: "A thought." }, { text: "I look." }, { toolCalls: [call] }],
      ]);
      expect(first.output.map(({ type }) => type)).to.deep.equal(["reasoning", "message", "function_call"]);
      const [thought, message, made] = first.output;
      const { status, body } = await create(
        {
          tools: agentTools,
          input: [
            user,
            { type: "item_reference", id: thought?.["id"] },
            { id: message?.["id"] },
            { type: "item_reference", id: made?.["id"] },
            { type: "function_call_output", call_id: call.id, output: "a.txt" },
          ],
        },
        [{ text: "One file." }],
      );
      expect([status, body.error]).to.deep.equal([200, null]);
      const sent = sentBody(stage).messages.filter(({ role }) => role !== "system");
      expect(sent.map(({ role }) => role)).to.deep.equal(["user", "assistant", "tool"]);
      expect(sent[1]?.content).to.equal("I look.");
    },
  );

  verifies(
    "responses:references",
    "C3: a reference to what is not stored is 404 and says what to do",
    async () => {
      const { body: gone } = await create({ store: false });
      for (const id of [
        gone.output[0]?.["id"],
        `msg_${"0".repeat(36)}`,
        "msg_67ccd2bed1ec8190b14f964abc054267",
      ]) {
        const { status, body } = await create({ input: [user, { type: "item_reference", id }] });
        expect([status, body.error?.code, body.error?.param]).to.deep.equal([
          404,
          "not_found",
          "input[1].id",
        ]);
      }
    },
  );
});
