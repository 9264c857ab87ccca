import { isObject, stringOf, type Sampling } from "@pergola/sdk";
import { fieldsOf } from "./json-values.ts";

export type Warn = (text: string) => void;

/** The fields of `Sampling` by the names that callers of a chat-completions API know. */
export const samplingNames: Readonly<Record<keyof Sampling, string>> = {
  temperature: "temperature",
  topP: "top_p",
  maxTokens: "max_tokens",
  repetitionPenalty: "repetition_penalty",
  presencePenalty: "presence_penalty",
  frequencyPenalty: "frequency_penalty",
  stop: "stop",
  seed: "seed",
  contextSize: "num_ctx",
  responseFormat: "response_format",
  toolChoice: "tool_choice",
  parallelToolCalls: "parallel_tool_calls",
  user: "user",
};

/** The lowest and the highest temperature that a vendor takes. */
export interface TemperatureRange {
  readonly least: number;
  readonly most: number;
}

/** The nearest temperature that the vendor takes, with a warning if it is not the wanted one. */
export function clampTemperature(
  value: number,
  { least, most }: TemperatureRange,
  vendor: string,
  warn: Warn,
): number {
  const nearest = Math.min(most, Math.max(least, value));
  if (nearest !== value) {
    warn(`${vendor} takes temperatures from ${least} to ${most}; ${nearest} was sent instead of ${value}`);
  }
  return nearest;
}

/** What a `tool_choice` asks for; `name` is the one tool that must be called. */
export type ToolChoice =
  | { readonly mode: "auto" | "none" | "required"; readonly name?: undefined }
  | { readonly mode: "tool"; readonly name: string };

const modes: Readonly<Record<string, ToolChoice>> = {
  auto: { mode: "auto" },
  none: { mode: "none" },
  required: { mode: "required" },
  any: { mode: "required" },
};

/**
 * Reads a `tool_choice`: a word, `{ type: "function", function: { name } }`, or the same without the inner
 * object. Undefined for anything else.
 */
export function readToolChoice(choice: unknown): ToolChoice | undefined {
  if (!isObject(choice)) return modes[stringOf(choice)];
  const name = fieldsOf(choice["function"])["name"] ?? choice["name"];
  if (typeof name === "string") return { mode: "tool", name };
  return modes[stringOf(choice["type"])];
}

/** What a `response_format` asks for. */
export interface ResponseFormat {
  /** `text`, `json_object` or `json_schema`. */
  readonly type: string;
  /** Unchecked; undefined where none is given. */
  readonly schema?: unknown;
}

/** Reads a `response_format`. Anything that is none means plain text. */
export function readResponseFormat(format: unknown): ResponseFormat {
  const { type, json_schema: wrapped, schema } = fieldsOf(format);
  return { type: stringOf(type) || "text", schema: fieldsOf(wrapped)["schema"] ?? schema };
}
