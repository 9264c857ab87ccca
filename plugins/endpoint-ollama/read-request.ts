import { latestOf, nonEmpty, readFunction, selectTools, type Warn } from "@pergola/kit-provider";
import {
  defined,
  isObject,
  stringOf,
  type ChatMessage,
  type EndpointRequest,
  type JsonObject,
  type OfferedTool,
  type RunRequest,
  type Services,
} from "@pergola/sdk";
import type { AnswerBody, ChatBody, GenerateBody } from "./body-schemas.ts";
import { readImage } from "./read-image.ts";
import { readMessages } from "./read-messages.ts";
import { readSampling, readThinking } from "./read-sampling.ts";

function readTool(tool: JsonObject, at: string, warn: Warn): OfferedTool | undefined {
  const { type = "function", function: definition } = tool;
  if (type === "function") return readFunction(isObject(definition) ? definition : {}, `${at}.function`);
  warn(`${at} was left out: tools of type ${stringOf(type)} cannot be called here, only function`);
  return undefined;
}

/** What the format has and nobody here can honour. */
function warnOf(body: Readonly<Record<string, unknown>>, keys: readonly string[], warn: Warn): void {
  for (const key of keys) {
    const value = body[key];
    const isSet = Array.isArray(value) ? value.length > 0 : Boolean(value);
    if (isSet) warn(`${key} was left out: it means nothing to the models here`);
  }
}

/** Whether something is to be answered; else the request only loads or unloads the model. */
export const asksOfChat = ({ messages }: ChatBody): boolean => (messages ?? []).length > 0;
export const asksOfGenerate = ({ prompt, images, suffix }: GenerateBody): boolean =>
  Boolean(prompt) || Boolean(suffix) || (images ?? []).length > 0;

type Asked = Pick<RunRequest, "messages" | "callerTools" | "builtinTools" | "enableMemory">;

/** What both have in common. A conversation is new, and goes with its answer, unless it is kept. */
async function runOf(
  body: AnswerBody,
  asked: Asked,
  warnings: readonly string[],
  { request, services }: Reading,
): Promise<RunRequest> {
  const thinking = readThinking(body);
  const session = request.headers["x-session-id"] || undefined;
  const isKept = services.preferences.get<boolean>("ollama.keep");
  const all: string[] = [...warnings];
  const sampling = readSampling(body, (text) => void all.push(text));
  return {
    kind: "chat",
    model: await latestOf(body.model, services.models, request.signal),
    ...asked,
    sampling,
    includeReasoning: thinking !== undefined && thinking.mode !== "disabled",
    toolSwitches: {},
    customInstructions: [],
    caller: request.caller,
    ...defined({
      warnings: nonEmpty(all),
      thinking,
      conversationId: session,
      newConversation: (!isKept && session === undefined) || undefined,
      sendsWholeHistory: (session !== undefined && asked.callerTools.length > 0) || undefined,
      stream: body.stream ?? true,
    }),
  };
}

interface Reading {
  readonly request: Pick<EndpointRequest, "caller" | "headers" | "signal">;
  readonly services: Services;
}

/** Turns a request of `/api/chat` into the request for a run. */
export function readChat(body: ChatBody, reading: Reading): Promise<RunRequest> {
  const warnings: string[] = [];
  const warn: Warn = (text) => void warnings.push(text);
  const format = { group: "ollama", read: readTool, warn };
  const tools = selectTools(body.tools, reading.services, undefined, format);
  warnOf(body, ["logprobs"], warn);
  const asked = { messages: readMessages(body.messages ?? []), ...tools, enableMemory: true };
  return runOf(body, asked, warnings, reading);
}

/** Models of chats are not trained to fill a gap: they are told in words what to write. */
const fillGap = ({ prompt, suffix }: GenerateBody): string =>
  "Write the text that belongs between these two pieces, and nothing else: no explanation, no fence.\n\n" +
  `<before>${prompt ?? ""}</before>\n<after>${suffix ?? ""}</after>`;

function* messagesOf(body: GenerateBody): Iterable<ChatMessage> {
  if (body.system) yield { role: "system", content: body.system };
  const text = body.suffix ? fillGap(body) : (body.prompt ?? "");
  const images = (body.images ?? []).map((image, index) => readImage(image, `images[${index}]`));
  const parts = text === "" ? images : [{ type: "text", text } as const, ...images];
  yield { role: "user", content: images.length > 0 ? parts : text };
}

/** Turns a request of `/api/generate` into the request for a run, without tools and memory. */
export function readGenerate(body: GenerateBody, reading: Reading): Promise<RunRequest> {
  const warnings: string[] = [];
  warnOf(body, ["logprobs", "raw", "template", "context"], (text) => void warnings.push(text));
  const asked: Asked = {
    messages: [...messagesOf(body)],
    callerTools: [],
    builtinTools: "none",
    enableMemory: false,
  };
  return runOf(body, asked, warnings, reading);
}
