import { nonEmpty, selectTools, type Warn } from "@pergola/kit-provider";
import {
  defined,
  type EndpointRequest,
  type RunRequest,
  type Sampling,
  type Services,
  type Thinking,
} from "@pergola/sdk";
import type { ResponseBody } from "./body-schema.ts";
import type { Lineage } from "./lineage.ts";
import { readInput } from "./read-input.ts";
import { annotationsOf } from "./response-object.ts";
import { readTool, responseFormatOf, restrictTools, toolChoiceOf } from "./read-tools.ts";

const efforts = {
  minimal: "low",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "high",
  max: "high",
} as const;

function thinkingOf({ reasoning }: ResponseBody): Thinking | undefined {
  const effort = reasoning?.effort;
  if (effort === undefined || effort === null) return undefined;
  if (effort === "none") return { mode: "disabled" };
  return { mode: "enabled", effort: efforts[effort] };
}

const samplingOf = (body: ResponseBody): Sampling =>
  defined({
    temperature: body.temperature ?? undefined,
    topP: body.top_p ?? undefined,
    maxTokens: body.max_output_tokens ?? undefined,
    responseFormat: responseFormatOf(body),
    toolChoice: toolChoiceOf(body.tool_choice),
    parallelToolCalls: body.parallel_tool_calls ?? undefined,
    user: body.user ?? undefined,
  });

/** Turns a request of the Responses format into the request for a run. */
export function readRequest(
  body: ResponseBody,
  { conversationId, parentMessageId, before }: Lineage,
  request: EndpointRequest,
  services: Services,
): RunRequest {
  const { instructions, service_config: config } = body;
  const warnings: string[] = [];
  const warn: Warn = (text) => void warnings.push(text);
  const input = readInput(body.input);
  for (const text of input.warnings) warn(text);
  const format = { group: "responses", read: readTool, warn };
  const tools = selectTools(body.tools, services, config, format);
  const system = instructions ? [{ role: "system", content: instructions } as const] : [];
  return {
    kind: "chat",
    model: body.model,
    messages: [...system, ...before, ...input.messages],
    ...restrictTools(body, tools),
    annotations: annotationsOf(body),
    sampling: samplingOf(body),
    includeReasoning: Boolean(body.reasoning?.summary),
    toolSwitches: {},
    enableMemory: true,
    customInstructions: [],
    caller: request.caller,
    ...defined({
      warnings: nonEmpty(warnings),
      thinking: thinkingOf(body),
      conversationId,
      // What is not stored must not go on in a stored conversation: it is deleted when the run has ended.
      newConversation: body.store === false || undefined,
      parentMessageId,
      maxIterations: config?.max_iterations,
      workingDirectory: config?.working_directory,
      stream: body.stream === true,
      onClientClose: body.background === true ? "continue" : config?.on_client_close,
    }),
  };
}
