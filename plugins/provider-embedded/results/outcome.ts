import type { Json, ToolCall } from "@pergola/sdk";

/** A call and what came of it. */
export interface Outcome {
  readonly name: string;
  readonly arguments: Readonly<Record<string, Json>>;
  readonly ok: boolean;
  /** JSON where the result holds JSON, else text. */
  readonly data: Json;
  /** The text of a file. */
  readonly content: string | undefined;
  readonly message: string;
  readonly error: string;
  /** The id under which the whole result is stored, when it was cut. */
  readonly storedAs: string | undefined;
}

const cutMark = /\n?\[TOOL_RESULT_STORED: resultId=([\w-]+)[^\]]*\]\s*$/;

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

const isRecord = (value: Json | undefined): value is Readonly<Record<string, Json>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");

/** Reads a tool message: the result's JSON, or any other text as its data. */
export function readOutcome(call: ToolCall, message: string): Outcome {
  const whole = parsed(message.replace(cutMark, ""));
  const result = isRecord(whole) && "success" in whole ? whole : { success: true, data: whole, message: "" };
  const args = parsed(call.arguments);
  const data = text(result.data).replace(cutMark, "");
  const content = typeof result.content === "string" ? result.content.replace(cutMark, "") : undefined;
  const stored =
    cutMark.exec(message) ?? cutMark.exec(text(result.content)) ?? cutMark.exec(text(result.data));
  return {
    name: call.name,
    arguments: isRecord(args) ? args : {},
    ok: result.success !== false,
    data: typeof result.data === "string" ? parsed(data) : (result.data ?? null),
    content,
    message: text(result.message),
    error: text(result.error),
    storedAs: text(result.resultId) || stored?.[1],
  };
}
