import type { AppError, Services } from "@pergola/sdk";

type Called = Awaited<ReturnType<Services["tools"]["call"]>>;

/**
 * A call's end as debug clients read it: the file's text or the data, or what went wrong, always as a string.
 */
export function wireCall({ tool, callId, approvalId, result }: Called, milliseconds: number) {
  const text = (result.success ? (result.content ?? result.data) : result.error) ?? "";
  return {
    success: result.success,
    result: text,
    output: text,
    execution_time_ms: Math.round(milliseconds),
    toolName: tool,
    executionId: callId,
    toolResult: result,
    ...(result.success ? {} : { error: result.error, error_code: result.error_code }),
    ...(approvalId === undefined ? {} : { toolCallId: callId, approvalId }),
  };
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
