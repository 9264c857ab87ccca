import { AppError, type EndpointRequest, type Route, type Services } from "@pergola/sdk";
import { checkCaller } from "../check-caller.ts";
import { wireCall, wireRefusal } from "../wire-call.ts";

interface Body {
  readonly tool: string;
  readonly arguments: unknown;
  readonly conversationId?: string;
  readonly workingDirectory?: string;
  readonly waitSeconds: number;
  readonly isUserInitiated: boolean;
}

/** A failed call is an answer like any other; only faults of the service are errors. */
async function execute(request: EndpointRequest, { tools }: Services) {
  const {
    tool,
    arguments: given,
    conversationId,
    workingDirectory,
    waitSeconds,
    isUserInitiated,
  } = request.body as Body;
  const { caller, signal } = request;
  const userInitiated = isUserInitiated && !caller.remote;
  const start = performance.now();
  try {
    const call = {
      name: tool,
      arguments: given,
      conversationId,
      workingDirectory,
      waitSeconds,
      userInitiated,
      caller,
      signal,
    };
    return wireCall(await tools.call(call), performance.now() - start);
  } catch (error) {
    if (AppError.is(error) && error.status < 500) return wireRefusal(tool, error, performance.now() - start);
    throw error;
  }
}

export const executeTool: Route = {
  method: "POST",
  path: "/debug/mcp/execute",
  summary: "Call a tool by hand",
  body: {
    type: "object",
    required: ["tool"],
    properties: {
      tool: {
        type: "string",
        minLength: 1,
        aliases: ["toolName"],
        description: "Family, family.operation, or another name of it",
      },
      arguments: {
        default: {},
        aliases: ["parametersJson", "parameters"],
        description: "Operation and parameters: an object, or JSON text",
      },
      conversationId: {
        type: "string",
        description: "UUID or alias; a hidden conversation of its own when absent",
      },
      workingDirectory: { type: "string", description: "An absolute path" },
      waitSeconds: {
        type: "integer",
        minimum: 0,
        maximum: 600,
        default: 0,
        description: "How long to wait for an approval",
      },
      isUserInitiated: {
        type: "boolean",
        default: false,
        description: "A person on this computer asks: no approval is needed",
      },
    },
  },
  response: {
    type: "object",
    properties: {
      success: { type: "boolean" },
      result: {
        type: "string",
        description: "The file's text or the data; after a failure, what went wrong",
      },
      output: { type: "string", description: "The same" },
      execution_time_ms: { type: "integer" },
      toolName: { type: "string" },
      executionId: { type: "string" },
      toolResult: { type: "object" },
      error: { type: "string" },
      error_code: { type: "string" },
      toolCallId: { type: "string", description: "Of a call that waits for an approval" },
      approvalId: { type: "string" },
    },
  },
  async handle(request, services) {
    checkCaller(request.caller, services);
    return { body: await execute(request, services) };
  },
};
