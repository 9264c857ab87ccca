import { defined, type JsonObject, type ModelCall } from "@pergola/sdk";
import { requestSettings, nonEmpty, omitFields, type Warn } from "@pergola/kit-provider";
import { beginsWithThinking, buildMessages, type Conversation } from "./build-messages.ts";
import { buildSampling } from "./build-sampling.ts";
import { buildThinking, noThinking, type WireThinking } from "./build-thinking.ts";
import { buildTools } from "./build-tools.ts";
import { markForCache } from "./cache-breakpoints.ts";
import type { ModelTraits } from "./model-traits.ts";
import { readRaw } from "./read-raw.ts";
import { ToolNames } from "./tool-names.ts";

export interface MessagesRequest {
  /** JSON text. */
  readonly body: string;
  readonly names: ToolNames;
  /** What the vendor cannot be asked for. */
  readonly warnings: readonly string[];
}

interface Context {
  readonly traits: ModelTraits;
  readonly names: ToolNames;
  readonly warn: Warn;
}

/** The messages, and thinking as far as the newest turn allows it: one that has lost its own is refused. */
function translateMessages(
  { thinking, messages, sampling }: ModelCall,
  { traits, names, warn }: Context,
): { readonly conversation: Conversation; readonly thinking: WireThinking } {
  // The format wants a limit: where nobody sets one, the model's own.
  const limit = sampling.maxTokens ?? traits.maxOutputTokens;
  const thinks = buildThinking(thinking, limit, traits, warn);
  const options = { names, prefill: traits.prefill, thinks: thinks.on, warn };
  const conversation = buildMessages(messages, options);
  if (!thinks.on || beginsWithThinking(conversation.messages)) return { conversation, thinking: thinks };
  warn("thinking was left out: what was thought before the last tool calls is not known any more");
  const plain = buildMessages(messages, { ...options, thinks: false, warn: () => undefined });
  return { conversation: plain, thinking: noThinking(limit) };
}

function translate(call: ModelCall, context: Context, cache: boolean): JsonObject {
  const { model, sampling, defaultedSampling = [], tools } = call;
  const { conversation, thinking } = translateMessages(call, context);
  const { system, messages } = cache ? markForCache(conversation, tools.length > 0) : conversation;
  const { fields, format } = buildSampling(sampling, {
    ...context,
    thinks: thinking.on,
    hasTools: tools.length > 0,
    defaultedSampling,
  });
  const body = defined({
    model,
    max_tokens: thinking.maxTokens,
    tools: nonEmpty(buildTools(tools, context.names, context.warn)),
    system: nonEmpty(system),
    messages,
    ...fields,
    thinking: thinking.field,
    output_config: nonEmpty(defined({ effort: thinking.effort, format })),
  });
  return body as unknown as JsonObject;
}

/**
 * The body of `POST /messages`. `extra` holds the provider's own settings `body`, `leave_out` and `cache`.
 */
export function buildRequest(original: ModelCall, traits: ModelTraits, extra: JsonObject): MessagesRequest {
  const warnings = new Set<string>();
  const warn = (text: string): void => void warnings.add(text);
  const { call, own } = readRaw(original, warn);
  const names = new ToolNames(call.tools.map(({ name }) => name));
  const translated = translate(call, { traits, names, warn }, extra["cache"] !== false);
  const settings = requestSettings(extra);
  const body = omitFields({ ...translated, ...own, stream: true, ...settings.body }, settings.leaveOut);
  return { body: JSON.stringify(body), names, warnings: [...warnings] };
}
