import { expect } from "chai";
import type { Services } from "@pergola/sdk";
import { endpointRequest, fakeServices } from "@pergola/sdk/testing";
import type { ChatBody } from "../body-schema.ts";
import { readMessages as readWarned } from "../read-messages.ts";
import { readRequest } from "../read-request.ts";

const services: Services = fakeServices({
  tools: { isFamily: (name) => name === "think" },
  preferences: { get: () => "auto" as never },
});
const readMessages = (given: Parameters<typeof readWarned>[0]) => readWarned(given, () => undefined);
const messages = [{ role: "user", content: "Hi" }];
const read = (more: object, headers: Readonly<Record<string, string>> = {}) => {
  const body = { model: "default", messages, ...more } as ChatBody;
  return readRequest("chat", body, endpointRequest({ body, rawBody: body, headers }), services);
};

describe("a chat request is folded", () => {
  it("into the plainest run where nothing is asked for", () => {
    expect(read({})).to.deep.equal({
      kind: "chat",
      model: "default",
      messages,
      callerTools: [],
      builtinTools: "all",
      sampling: {},
      includeReasoning: false,
      toolSwitches: {},
      enableMemory: true,
      customInstructions: [],
      caller: endpointRequest().caller,
    });
  });

  it("with its thinking from either spelling; disabled wins", () => {
    expect(read({ reasoning: true }).thinking).to.deep.equal({ mode: "enabled" });
    expect(read({ reasoning: { effort: "low", budget_tokens: 5 } }).thinking).to.deep.equal({
      mode: "enabled",
      effort: "low",
      budgetTokens: 5,
    });
    expect(read({ reasoning: false }).thinking).to.deep.equal({ mode: "disabled" });
    expect(read({ service_config: { enable_reasoning: false } }).thinking).to.deep.equal({
      mode: "disabled",
    });
    expect(
      read({ service_config: { thinking: { mode: "adaptive", effort: "high" } } }).thinking,
    ).to.deep.equal({
      mode: "adaptive",
      effort: "high",
    });
    expect(read({ service_config: { enable_reasoning: true } })).to.not.have.property("thinking");
  });

  it("with the switches of its tools", () => {
    const config = {
      enable_terminal_access: true,
      enable_workflow_mode: false,
      enable_remote_execution: true,
      enable_dynamic_iterations: false,
    };
    expect(read({ service_config: config }).toolSwitches).to.deep.equal({
      terminal_operations: true,
      agent_operations: false,
      remote_execution: true,
      increase_max_iterations: false,
    });
  });

  it("with the top level before service_config, and service_config before its older spelling", () => {
    const request = read({
      system_prompt_id: "top",
      maxIterations: 9,
      service_config: { system_prompt_id: "config", max_iterations: 5 },
      sam_config: { max_iterations: 4, working_directory: "/older" },
    });
    expect(request).to.include({ systemPromptId: "top", maxIterations: 5, workingDirectory: "/older" });
  });

  it("with the mini prompts of all three fields", () => {
    const named = { custom_instructions: ["a"], mini_prompts: ["b"], mini_prompt_ids: ["c"] };
    expect(read(named).customInstructions).to.deep.equal(["a", "b", "c"]);
    expect(read({ mini_prompt_ids: ["c"] }).customInstructions).to.deep.equal(["c"]);
  });

  it("with keys in messages that only some providers know", () => {
    const [message] = readMessages([
      { role: "User", content: "Hi", name: "Ada", cache_control: { type: "ephemeral" }, odd: 1 },
    ]);
    expect(message).to.deep.equal({
      role: "user",
      content: "Hi",
      name: "Ada",
      extra: { cache_control: { type: "ephemeral" } },
    });
    const [thought] = readMessages([
      { role: "assistant", content: "Hm", reasoning_content: "why", reasoning_signature: "s" },
      ...messages,
    ]);
    expect(thought).to.deep.equal({
      role: "assistant",
      content: "Hm",
      reasoning: "why",
      extra: { reasoning_signature: "s" },
    });
  });
});
