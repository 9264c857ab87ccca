import { defined, type AppError, type Services, type ToolResult } from "@pergola/sdk";

type Called = Awaited<ReturnType<Services["tools"]["call"]>>;

function textOf({ success, content, data = "", error = "" }: ToolResult): string {
  if (!success) return error;
  return content ?? data;
}

/**
 * A call's end as debug clients read it: the file's text or the data, or what went wrong, always as a string.
 */
export function wireCall({ tool, callId, approvalId, result }: Called, milliseconds: number) {
  const text = textOf(result);
  return defined({
    success: result.success,
    result: text,
    output: text,
    execution_time_ms: Math.round(milliseconds),
    toolName: tool,
    executionId: callId,
    toolResult: result,
    error: result.error,
    error_code: result.error_code,
    toolCallId: approvalId && callId,
    approvalId,
  });
}

/** A call that was refused before it became one. */
export const wireRefusal = (tool: string, { code, message }: AppError, milliseconds: number) => ({
  success: false,
  result: message,
  output: message,
  execution_time_ms: Math.round(milliseconds),
  toolName: tool,
  error: message,
  error_code: code,
});
