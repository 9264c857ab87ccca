import type { PermissionOption, SessionUpdate, ToolCallStatus } from "@agentclientprotocol/sdk";
import { askClient } from "./ask-client.ts";
import { askForServer } from "./ask-for-server.ts";
import type { ModelCall } from "./calls-in-pieces.ts";
import type { CallResult } from "./client-tools.ts";
import { cancel, tell, type Ends, type Session } from "./session.ts";
import { textContent } from "./tool-calls.ts";

/** Each call is asked about: the service's grants are for its own tools. */
const options: PermissionOption[] = [
  { optionId: "once", kind: "allow_once", name: "Allow this once" },
  { optionId: "no", kind: "reject_once", name: "Do not allow" },
];

const denied: CallResult = { isError: true, text: "The user has not allowed this call." };

/** Runs calls of the editor's own tools, one after the other: the messages that answer them. */
export async function runClientCalls(
  ends: Ends,
  session: Session,
  calls: readonly ModelCall[],
  signal: AbortSignal,
): Promise<readonly object[]> {
  const answers: object[] = [];
  for (const call of calls) {
    const { isError, text } = await runCall(ends, session, call, signal);
    const result = { success: !isError, [isError ? "error" : "content"]: text };
    answers.push({ role: "tool", tool_call_id: call.id, name: call.name, content: JSON.stringify(result) });
  }
  return answers;
}

async function runCall(
  ends: Ends,
  session: Session,
  call: ModelCall,
  signal: AbortSignal,
): Promise<CallResult> {
  const { name, server } = session.tools.find(call.name) ?? { name: call.name, server: "" };
  const args = readArguments(call.arguments);
  const title = server === "" ? name : `${name} (${server})`;
  const shown = { toolCallId: call.id, title, kind: "other", rawInput: args ?? call.arguments } as const;
  await tell(ends, session, { sessionUpdate: "tool_call", status: "pending", ...shown });
  if (args === undefined) return finish(ends, session, call, { isError: true, text: "No JSON object." });
  const request = { sessionId: session.id, toolCall: { ...shown, status: "pending" as const }, options };
  const chosen = await askClient(ends, request, signal);
  if (chosen === undefined) await cancel(session);
  signal.throwIfAborted();
  if (chosen !== "once") return finish(ends, session, call, denied);
  await tell(ends, session, update(call, "in_progress"));
  const asking = { server, toolCallId: call.id, signal };
  const result = await session.tools.call(call.name, args, {
    conversationId: session.id,
    signal,
    answer: (inquiry) => askForServer(ends, session, asking, inquiry),
  });
  return finish(ends, session, call, result);
}

const update = ({ id }: ModelCall, status: ToolCallStatus, text?: string): SessionUpdate => ({
  sessionUpdate: "tool_call_update",
  toolCallId: id,
  status,
  ...(text !== undefined && { content: [textContent(text)] }),
});

async function finish(
  ends: Ends,
  session: Session,
  call: ModelCall,
  result: CallResult,
): Promise<CallResult> {
  await tell(ends, session, update(call, result.isError ? "failed" : "completed", result.text));
  return result;
}

function readArguments(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text || "{}");
    return typeof value === "object" && !Array.isArray(value)
      ? ((value as Record<string, unknown> | null) ?? undefined)
      : undefined;
  } catch {
    return undefined;
  }
}
