import { stringOf, type JsonObject, type ModelCall, type Thinking } from "@pergola/sdk";
import { fieldsOf, readChatBody, warnOfUnknownFields, type Warn } from "@pergola/kit-provider";

/** Fields of this format that a chat-completions body may carry too; they are handed on. */
const ownFields = ["top_k", "output_config", "cache_control"];

const modes: Readonly<Record<string, Thinking["mode"]>> = {
  enabled: "enabled",
  adaptive: "adaptive",
  disabled: "disabled",
  between_tools: "disabled",
};

/** `thinking` of this format; undefined where it says nothing. */
function readThinking(field: unknown): Thinking | undefined {
  const { type, budget_tokens: budget } = fieldsOf(field);
  const mode = modes[stringOf(type)];
  if (mode === undefined) return undefined;
  if (typeof budget === "number") return { mode, budgetTokens: budget };
  return { mode };
}

/** The call, or its bypassed body as one, and the fields of that body that this format knows itself. */
export function readRaw(
  original: ModelCall,
  warn: Warn,
): { readonly call: ModelCall; readonly own: JsonObject } {
  const { model, raw } = original;
  if (raw === undefined) return { call: original, own: {} };
  const options = { vendor: "Anthropic", warn, messageKeys: ["reasoning_blocks", "cache_control"] };
  warnOfUnknownFields(raw, ["thinking", ...ownFields], options);
  const body = readChatBody(raw, options);
  const thinking = readThinking(raw["thinking"]) ?? body.thinking;
  const own = Object.entries(raw).filter(([name, value]) => value !== null && ownFields.includes(name));
  return {
    call: { model, ...body, ...(thinking && { thinking }) },
    own: Object.fromEntries(own),
  };
}
