import { type Json, type JsonObject, type ModelCall } from "@pergola/sdk";
import {
  fieldsOf,
  hasImage,
  memoizePerTool,
  requestSettings,
  wireTool,
  omitFields,
  type Warn,
} from "@pergola/kit-provider";
import { buildSampling } from "./build-sampling.ts";
import { buildThinking } from "./build-thinking.ts";
import type { BuiltRequest } from "./format.ts";
import { messagesJson, type JsonBytes } from "./messages-json.ts";
import type { Preset } from "./preset.ts";

const toolJson = memoizePerTool((tool) => JSON.stringify(wireTool(tool)));

let joined: { readonly tools: ModelCall["tools"]; readonly json: JsonBytes } = { tools: [], json: [] };

/** The tools one after the other; most calls are offered the same ones as the call before. */
function toolsJson(tools: ModelCall["tools"]): JsonBytes {
  const isSame = tools.length === joined.tools.length && tools.every((tool, at) => tool === joined.tools[at]);
  if (!isSame) joined = { tools, json: [Buffer.from(tools.map((tool) => toolJson(tool)).join(","))] };
  return joined.json;
}

/** The tools that are offered: none where none may be called and the vendor has no word for that. */
function offeredTools({ tools, sampling }: ModelCall, { toolChoices }: Preset): ModelCall["tools"] {
  const isUnwanted = sampling.toolChoice === "none" && toolChoices?.includes("none") === false;
  return isUnwanted ? [] : tools;
}

/** A list whose JSON is there already, without its brackets. */
class JsonList {
  readonly json: JsonBytes;

  constructor(json: JsonBytes) {
    this.json = json;
  }
}

type Body = Readonly<Record<string, Json | undefined | JsonList>>;

/** Bytes, since most of them are there already: a text would be made of all of them at each call. */
function bodyJson(body: Body): Uint8Array {
  const pieces: Uint8Array[] = [];
  let text = "{";
  for (const [key, value] of Object.entries(body)) {
    const begin = `${text === "{" ? "" : ","}${JSON.stringify(key)}:`;
    if (value instanceof JsonList) {
      pieces.push(Buffer.from(`${text}${begin}[`), ...value.json);
      text = "]";
    } else if (value !== undefined) text += begin + JSON.stringify(value);
  }
  return Buffer.concat([...pieces, Buffer.from(`${text}}`)]);
}

function thinkingFields({ thinking, model }: ModelCall, preset: Preset, warn: Warn): JsonObject {
  if (thinking === undefined) return {};
  const canThink = preset.thinkingModels?.test(model) !== false;
  if (!canThink && thinking.mode !== "enabled") return {};
  const fields = canThink ? buildThinking(preset.thinking, thinking) : undefined;
  if (fields === undefined)
    warn(`thinking ${thinking.mode} was left out: ${preset.name} does not take it for ${model}`);
  return fields ?? {};
}

function streamFields({ streamOptions }: Preset, callerOptions?: unknown): JsonObject {
  const options = { ...(fieldsOf(callerOptions) as JsonObject), include_usage: true };
  return { stream: true, ...(streamOptions && { stream_options: options }) };
}

function bypassBody(raw: JsonObject, model: string, preset: Preset, leaveOut: readonly string[]): string {
  const stream = streamFields(preset, raw["stream_options"]);
  return JSON.stringify({ ...raw, model, ...omitFields(stream, leaveOut) });
}

/** The body of `POST /chat/completions`. `extra` holds the provider's own settings `body` and `leave_out`. */
export function buildRequest(call: ModelCall, preset: Preset, extra: JsonObject): BuiltRequest {
  const { model, raw } = call;
  const settings = requestSettings(extra);
  if (raw !== undefined) return { body: bypassBody(raw, model, preset, settings.leaveOut), warnings: [] };
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  const tools = offeredTools(call, preset);
  const body: Body = {
    model,
    messages: new JsonList(messagesJson(call.messages, preset)),
    ...(tools.length > 0 && { tools: new JsonList(toolsJson(tools)), ...preset.toolBody }),
    ...buildSampling({ ...call, tools }, preset, warn),
    ...thinkingFields(call, preset, warn),
    ...preset.body,
    ...streamFields(preset),
    ...settings.body,
  };
  if (!preset.images && call.messages.some(hasImage))
    warn(`images were left out: ${preset.name} does not take them`);
  return { body: bodyJson(omitFields(body, settings.leaveOut)), warnings };
}
