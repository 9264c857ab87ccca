import { AppError, defineRoute, type HandCall, type Services } from "@pergola/sdk";
import { checkCaller } from "../check-caller.ts";
import { wireCall, wireRefusal } from "../wire-call.ts";

/**
 * A failed call is an answer like any other; only faults of the service are errors, and what another host is
 * to take.
 */
async function execute(call: HandCall, { tools, preferences }: Services) {
  const start = performance.now();
  try {
    return wireCall(await tools.call(call), performance.now() - start);
  } catch (error) {
    if (!AppError.is(error) || error.status >= 500) throw error;
    if (error.code === "wrong_host" && preferences.get<boolean>("cluster.forward")) throw error;
    return wireRefusal(call.name, error, performance.now() - start);
  }
}

export const executeTool = defineRoute({
  method: "POST",
  path: "/debug/mcp/execute",
  scope: "tools",
  summary: "Call a tool by hand",
  body: {
    type: "object",
    required: ["tool"],
    examples: [{ tool: "file_operations", arguments: { operation: "list_dir", path: "." } }],
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
  failures: ["conversation_busy", "wrong_host", "host_unavailable"],
  async handle({ body, caller, headers, signal }, services) {
    checkCaller(caller, services);
    const call = {
      name: body.tool,
      arguments: body.arguments,
      conversationId: body.conversationId,
      workingDirectory: body.workingDirectory,
      waitSeconds: body.waitSeconds,
      userInitiated: body.isUserInitiated && caller.kind === "owner",
      caller,
      trace: headers["traceparent"],
      signal,
    };
    return { body: await execute(call, services) };
  },
});
