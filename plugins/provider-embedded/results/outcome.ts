import { isObject, type Json, type JsonObject, stringOf, type ToolCall } from "@pergola/sdk";

/** A call and what came of it. */
export interface Outcome {
  readonly name: string;
  readonly arguments: JsonObject;
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

const isRecord = (value: Json | undefined): value is JsonObject => isObject(value);

function resultIn(whole: Json): JsonObject {
  if (isRecord(whole) && "success" in whole) return whole;
  return { success: true, data: whole, message: "" };
}

/** The data of a result: records and lists where its text holds them; a number in words stays as written. */
function dataOf({ data = null }: JsonObject): Json {
  if (typeof data !== "string") return data;
  const text = data.replace(cutMark, "");
  const read = parsed(text);
  return typeof read === "object" ? read : text;
}

/** Reads a tool message: the result's JSON, or any other text as its data. */
export function readOutcome(call: ToolCall, message: string): Outcome {
  const result = resultIn(parsed(message.replace(cutMark, "")));
  const args = parsed(call.arguments);
  const texts = [message, stringOf(result.content), stringOf(result.data)];
  const stored = texts.map((text) => cutMark.exec(text)?.[1]).find((id) => id !== undefined);
  return {
    name: call.name,
    arguments: isRecord(args) ? args : {},
    ok: result.success !== false,
    data: dataOf(result),
    content: "content" in result ? stringOf(result.content).replace(cutMark, "") : undefined,
    message: stringOf(result.message),
    error: stringOf(result.error),
    storedAs: stringOf(result.resultId) || stored,
  };
}
