import {
  isObject,
  stringOf,
  ToolError,
  type Json,
  type JsonObject,
  type Operation,
  type OperationResult,
  type Tool,
} from "@pergola/sdk";
import type { Cassette, RecordedExecution, RecordedFamily, StandIns } from "@pergola/sdk/host";

type Registered = ReturnType<StandIns["tools"]>[number];

const ownFields = new Set(["success", "data", "message", "content"]);

/** What the host says itself behind the message of a result. */
const hostsNotes = / ?(?:Unknown arguments were ignored: [^.]*\.|Stop using \w+ for now\.)/g;

/** What an operation must have returned for this result; throws the ToolError that it must have thrown. */
function outcomeOf(result: Json, tool: string): OperationResult {
  if (!isObject(result)) return { data: result };
  const message = stringOf(result["message"]).replaceAll(hostsNotes, "");
  const { success, error_code: code, error, message: _message, ...rest } = result;
  if (success !== true)
    throw new ToolError(stringOf(code) || "generic_error", stringOf(error) || `${tool} failed.`, {
      hint: message,
      fields: rest,
    });
  const { data = "", content } = result;
  const fields = Object.fromEntries(Object.entries(result).filter(([name]) => !ownFields.has(name)));
  return { data, message, fields, ...(typeof content === "string" && { content }) };
}

/** The recorded tool calls, by their ids. */
const executionsOf = ({ steps }: Cassette): ReadonlyMap<string, RecordedExecution> =>
  new Map(steps.flatMap(({ executions }) => executions.map((call) => [call.id, call] as const)));

type Answer = (callId: string, tool: string) => OperationResult;

function answerFrom(cassette: Cassette): Answer {
  const executions = executionsOf(cassette);
  return (callId, tool) => {
    const call = executions.get(callId);
    if (call !== undefined) return outcomeOf(call.given ?? call.result, tool);
    throw new ToolError("not_found", `The recording has no call ${callId} of ${tool}.`);
  };
}

/** The operation with its checks and its effect, and nothing that does anything. */
function withoutWork(operation: Operation, tool: string, answer: Answer): Operation {
  const { preview: _preview, reconcile: _reconcile, ...checks } = operation;
  return { ...checks, run: async (_args, { callId }) => answer(callId, tool) };
}

function standInFor(registered: Registered, answer: Answer): Registered {
  const { unavailable: _, ...tool } = registered.tool;
  const operations = tool.operations.map((operation) => withoutWork(operation, tool.name, answer));
  return { ...registered, tool: { ...tool, operations } };
}

const nobody: Registered["plugin"] = {
  id: "recording",
  package: "recording",
  version: "1.0.0",
  permissions: {},
  enabledByDefault: true,
  entry: "",
  tier: "trusted",
  collections: {},
  preferences: {},
  settings: (): JsonObject => ({}),
};

/** A family that only the recording service had. */
function missingFamily({ name, operations }: RecordedFamily, answer: Answer): Registered {
  const tool: Tool = {
    name,
    description: "A tool of the recording.",
    thirdParty: true,
    operations: operations.map((operation) => ({
      ...operation,
      description: "An operation of the recording.",
      run: async (_args: never, { callId }) => answer(callId, name),
    })),
  };
  return { tool, plugin: nobody };
}

/** Tools that answer from a recording in place of the registered ones; `real` names families that stay. */
export function standInTools(cassette: Cassette, real: readonly string[]): StandIns["tools"] {
  const answer = answerFrom(cassette);
  return (registered) => {
    const names = new Set(registered.map(({ tool }) => tool.name));
    const missing = cassette.families.filter(({ name }) => !names.has(name));
    return [
      ...registered.map((one) => (real.includes(one.tool.name) ? one : standInFor(one, answer))),
      ...missing.map((family) => missingFamily(family, answer)),
    ];
  };
}
