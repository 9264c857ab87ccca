import { defined, type ChatMessage, type ModelCall } from "@pergola/sdk";
import {
  contentText,
  hasImage,
  readChatBody,
  nonEmpty,
  unreadableImage,
  type Warn,
} from "@pergola/kit-provider";
import type { ChatTurn, TurnMessage } from "./messages.ts";

export interface ReadTurn {
  readonly turn: ChatTurn;
  readonly warnings: readonly string[];
}

/** The call, or its bypassed body as one; the body's settings win over the host's. */
function readRaw(call: ModelCall, warn: Warn): ModelCall {
  const { raw } = call;
  if (raw === undefined) return call;
  const { messages, tools, sampling } = readChatBody(raw, { vendor: "a local model", warn });
  return { ...call, messages, tools, sampling: { ...call.sampling, ...sampling } };
}

function plainMessage({
  role,
  content,
  toolCalls = [],
  toolCallId,
  name,
  reasoning,
}: ChatMessage): TurnMessage {
  return defined({
    role,
    content: contentText(content, unreadableImage),
    toolCalls: nonEmpty(toolCalls),
    toolCallId,
    name,
    reasoning,
  });
}

/** A call as the process of a model takes it. */
export function turnOf(original: ModelCall): ReadTurn {
  const warnings = new Set<string>();
  const warn = (text: string): void => void warnings.add(text);
  const call = readRaw(original, warn);
  const { messages, tools, sampling, thinking } = call;
  if (messages.some(hasImage)) warn("the model reads no pictures; they were left out");
  const turn = defined({
    messages: messages.map(plainMessage),
    tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    sampling,
    thinking,
  });
  return { turn, warnings: [...warnings] };
}
