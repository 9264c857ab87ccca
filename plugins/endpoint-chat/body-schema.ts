import type { FromSchema, JsonSchema, Properties } from "@pergola/sdk";
import { messageSchema, toolSchema } from "./request-schemas.ts";

const boolean = { type: "boolean" } as const;
const text = { type: "string" } as const;
const iterations = { type: "integer", minimum: 1, maximum: 1000 } as const;

const miniPrompts = { type: "array", items: text, maxItems: 100 } as const;

const thinking = {
  type: "object",
  properties: {
    mode: { enum: ["enabled", "adaptive", "disabled"] },
    budget_tokens: { type: "integer", minimum: 1 },
    effort: { enum: ["low", "medium", "high"] },
    include_thinking: boolean,
  },
} as const satisfies JsonSchema;

const serviceConfig = {
  type: ["object", "null"],
  description: "Switches of this service",
  properties: {
    new_conversation: { ...boolean, description: "Without an id: begin a new conversation" },
    parentMessageId: { type: ["string", "null"] },
    bypass_processing: { ...boolean, description: "Hand the request to the provider as it is" },
    max_iterations: { ...iterations, description: "Limit of this run" },
    mcp_tools_enabled: { ...boolean, description: "false: no built-in tools" },
    builtin_tools: { enum: ["auto", "all", "none"] },
    enable_terminal_access: boolean,
    enable_workflow_mode: boolean,
    enable_remote_execution: boolean,
    enable_dynamic_iterations: boolean,
    shared_memory_enabled: boolean,
    memory_collection_id: text,
    conversation_title: text,
    working_directory: text,
    system_prompt_id: text,
    enable_reasoning: boolean,
    thinking,
    on_client_close: { enum: ["cancel", "continue"] },
    legacy_metadata: boolean,
    is_external_api_call: boolean,
  },
} as const satisfies JsonSchema;

/** Fields that chat and autonomous requests share. */
const sharedProperties = {
  model: { type: "string", minLength: 1, description: "Model id with or without prefix, or `default`" },
  messages: {
    type: "array",
    items: { type: "object", documentedAs: messageSchema },
    description: "The conversation, oldest first",
  },
  temperature: {
    type: ["number", "null"],
    description: "0 to 2; default 0.7, none for a request with tools of its own",
  },
  max_tokens: {
    type: ["integer", "null"],
    description: "1 or more, per model call; default 2000, none for a request with tools of its own",
    aliases: ["max_completion_tokens"],
  },
  top_p: { type: ["number", "null"], description: "0 to 1" },
  stream: { type: ["boolean", "null"], description: "Answer as a stream of server-sent events" },
  tools: {
    type: ["array", "null"],
    items: { type: "object", documentedAs: toolSchema },
    description:
      "Tools of the caller; an entry named like a built-in family and without parameters selects that",
  },
  conversationId: {
    type: "string",
    description: "UUID or alias; absent = the conversation whose history the messages repeat, or a new one",
  },
  parentMessageId: {
    type: ["string", "null"],
    description:
      "Put the messages below this one, as a new branch if others follow it; null = at the beginning",
  },
  session_id: text,
  context_id: text,
  stream_options: {
    type: ["object", "null"],
    properties: { include_usage: boolean, include_tool_events: boolean },
  },
  repetition_penalty: { type: "number" },
  presence_penalty: { type: ["number", "null"], description: "-2 to 2" },
  frequency_penalty: { type: ["number", "null"], description: "-2 to 2" },
  stop: { anyOf: [text, { type: "array", items: text }, { type: "null" }] },
  seed: { type: ["integer", "null"] },
  response_format: { type: ["object", "null"] },
  tool_choice: { anyOf: [text, { type: "object" }, { type: "null" }] },
  parallel_tool_calls: boolean,
  user: text,
  n: { type: ["integer", "null"], description: "1: there is one answer to a request" },
  functions: { type: ["array", "null"], description: "Refused: use tools" },
  function_call: {
    anyOf: [{ type: "string" }, { type: "object" }, { type: "null" }],
    description: "Refused: use tool_choice",
  },
  logprobs: { type: ["boolean", "null"], description: "Left out with a warning, but for bypassed requests" },
  top_logprobs: { type: ["integer", "null"], description: "As logprobs" },
  logit_bias: { type: ["object", "null"], description: "As logprobs" },
  reasoning_effort: {
    type: ["string", "null"],
    description: "none, minimal, low, medium, high, xhigh or max; reasoning wins",
  },
  reasoning: {
    anyOf: [
      boolean,
      {
        type: "object",
        properties: {
          enabled: { type: ["boolean", "null"] },
          effort: {
            anyOf: [{ enum: ["none", "minimal", "low", "medium", "high", "xhigh", "max"] }, { type: "null" }],
          },
          budget_tokens: {
            type: ["integer", "null"],
            minimum: 1,
            aliases: ["max_tokens"],
          },
        },
      },
      { type: "null" },
    ],
  },
  topic: text,
  system_prompt_id: text,
  personality_id: text,
  custom_instructions: { ...miniPrompts, description: "Mini prompts of this request, by name or id" },
  mini_prompts: miniPrompts,
  mini_prompt_ids: miniPrompts,
  stateful_marker: text,
  enable_memory: boolean,
  service_config: serviceConfig,
  sam_config: serviceConfig,
  maxIterations: iterations,
} as const satisfies Properties;

const background = { type: "boolean", description: "Answer at once and continue" } as const;

export const chatBody = {
  type: "object",
  properties: { ...sharedProperties, background },
  required: ["model", "messages"],
  examples: [{ model: "default", messages: [{ role: "user", content: "What is in this folder?" }] }],
} as const satisfies JsonSchema;

/** A body whose keys are canonical and whose types are checked. */
export type ChatBody = FromSchema<typeof chatBody>;

export type ServiceConfig = NonNullable<ChatBody["service_config"]>;

export const autonomousBody = {
  type: "object",
  properties: {
    ...sharedProperties,
    goal: { type: "string", minLength: 1, description: "One user message; the model is then the default" },
    background,
  },
  anyOf: [{ required: ["model", "messages"] }, { required: ["goal"] }],
  examples: [{ goal: "Write a summary of README.md into summary.txt", background: true }],
} as const satisfies JsonSchema;
