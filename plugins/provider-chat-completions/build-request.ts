import { lastUserIndex, type JsonObject, type ModelCall, type OfferedTool } from "@pergola/sdk";
import { buildSampling } from "./build-sampling.ts";
import { buildThinking } from "./build-thinking.ts";
import type { BuiltRequest } from "./format.ts";
import type { Preset } from "./preset.ts";
import { hasImage } from "./has-image.ts";
import { repairMessages } from "./repair-messages.ts";
import { wireMessage } from "./wire-message.ts";
import { isObject, wishesOf, without } from "./wishes.ts";

function wireMessages({ messages }: ModelCall, preset: Preset): readonly JsonObject[] {
  const repaired = repairMessages(messages, preset);
  const newest = lastUserIndex(repaired);
  return repaired.map((message, index) => wireMessage(message, index > newest, preset));
}

const written = new WeakMap<OfferedTool, string>();

/** A tool as JSON text. Written once: with all tools on it is most of what a request holds. */
function writtenTool(tool: OfferedTool): string {
  const { name, description, parameters } = tool;
  const text =
    written.get(tool) ?? JSON.stringify({ type: "function", function: { name, description, parameters } });
  written.set(tool, text);
  return text;
}

/** The tools that the vendor is shown. One that cannot be told to call none is not shown any. */
function wireTools({ tools, sampling }: ModelCall, { toolChoices }: Preset): ModelCall["tools"] {
  const unwanted = sampling.toolChoice === "none" && toolChoices?.includes("none") === false;
  return unwanted ? [] : tools;
}

/**
 * The body's JSON text with the tools behind the messages, unless the provider's own settings say something
 * of them.
 */
function withTools(given: JsonObject, tools: ModelCall["tools"], leaveOut: readonly string[]): string {
  const body = without(given, leaveOut);
  const { model, messages, ...rest } = body;
  if (tools.length === 0 || "tools" in body || leaveOut.includes("tools")) return JSON.stringify(body);
  const fields = [{ model }, { messages }, rest].map((part) => JSON.stringify(part).slice(1, -1));
  return `{${fields
    .toSpliced(2, 0, `"tools":[${tools.map(writtenTool).join(",")}]`)
    .filter(Boolean)
    .join(",")}}`;
}

function wireThinking(
  { thinking, model }: ModelCall,
  preset: Preset,
  warn: (text: string) => void,
): JsonObject {
  if (thinking === undefined) return {};
  const able = preset.thinkingModels?.test(model) !== false;
  const fields = able
    ? buildThinking(preset.thinking, thinking)
    : thinking.mode === "enabled"
      ? undefined
      : {};
  if (fields === undefined)
    warn(`thinking ${thinking.mode} was left out: ${preset.name} does not take it for ${model}`);
  return fields ?? {};
}

const streaming = ({ streamOptions }: Preset, given: unknown = {}): JsonObject => ({
  stream: true,
  ...(streamOptions ? { stream_options: { ...(isObject(given) ? given : {}), include_usage: true } } : {}),
});

/** The body of `POST /chat/completions`. `extra` holds the provider's own settings `body` and `leave_out`. */
export function buildRequest(call: ModelCall, preset: Preset, extra: JsonObject): BuiltRequest {
  const wishes = wishesOf(extra);
  if (call.raw !== undefined) {
    const stream = without(streaming(preset, call.raw["stream_options"]), wishes.leaveOut);
    return { body: JSON.stringify({ ...call.raw, model: call.model, ...stream }), warnings: [] };
  }
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  const tools = wireTools(call, preset);
  const body: JsonObject = {
    model: call.model,
    messages: wireMessages(call, preset),
    ...(tools.length === 0 ? {} : preset.toolBody),
    ...buildSampling({ ...call, tools }, preset, warn),
    ...wireThinking(call, preset, warn),
    ...preset.body,
    ...streaming(preset),
    ...wishes.body,
  };
  if (!preset.images && call.messages.some(hasImage))
    warn(`images were left out: ${preset.name} does not take them`);
  return { body: withTools(body, tools, wishes.leaveOut), warnings };
}
