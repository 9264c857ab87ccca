import { fieldFault, type Warn } from "@pergola/kit-provider";
import { isObject, type ChatMessage, type ContentPart, type JsonObject, type ToolCall } from "@pergola/sdk";
import type { PromptBody } from "./body-schema.ts";
import {
  blocksOf,
  contentOf,
  extraOf,
  isText,
  isVendors,
  joinTexts,
  unsupportedBlock,
  partsOf,
  readPart,
  textIn,
} from "./read-blocks.ts";

interface Result {
  readonly message: ChatMessage;
  /** Images stand beside a tool's result, not in it. */
  readonly images: readonly ContentPart[];
}

interface PlacedBlock {
  readonly block: JsonObject;
  /** The path of the block in the request. */
  readonly at: string;
}

const isResult = ({ block }: PlacedBlock): boolean => block["type"] === "tool_result";

const placesOf = (blocks: readonly JsonObject[], at: string): readonly PlacedBlock[] =>
  blocks.map((block, index) => ({ block, at: `${at}.content[${index}]` }));

function resultOf(block: JsonObject, at: string, warn: Warn): Result {
  const parts = partsOf(blocksOf(block["content"] ?? "", `${at}.content`), `${at}.content`, warn);
  const text = joinTexts(parts.filter(isText));
  const isError = block["is_error"] === true;
  const content = isError ? JSON.stringify({ success: false, error: text }) : text;
  const images = parts.filter(({ type }) => type === "image_url");
  return {
    message: {
      role: "tool",
      toolCallId: textIn(block, "tool_use_id", at),
      content,
      ...extraOf([block]),
    },
    images,
  };
}

/** A message of the person, behind the tool results that came with it. */
function readUser(blocks: readonly JsonObject[], at: string, warn: Warn): readonly ChatMessage[] {
  const places = placesOf(blocks, at);
  const results = places.filter(isResult).map((each) => resultOf(each.block, each.at, warn));
  const others = places.filter((each) => !isResult(each));
  const parts = others.flatMap((each) => readPart(each.block, each.at, warn));
  const own = [...results.flatMap(({ images }) => images), ...parts];
  const answers = results.map(({ message }) => message);
  if (own.length === 0) return answers;
  const extra = extraOf(others.map(({ block }) => block));
  return [...answers, { role: "user", content: contentOf(own), ...extra }];
}

function callOf(block: JsonObject, at: string): ToolCall {
  const { input = {} } = block;
  if (!isObject(input)) throw fieldFault(`${at}.input`, "must be an object");
  return { id: textIn(block, "id", at), name: textIn(block, "name", at), arguments: JSON.stringify(input) };
}

const assistantTypes: ReadonlySet<unknown> = new Set(["text", "tool_use", "thinking", "redacted_thinking"]);

const isSigned = ({ type, signature }: JsonObject): boolean =>
  type === "redacted_thinking" || (type === "thinking" && Boolean(signature));

/** Thinking blocks are passed on as they came, so that a provider that signed them finds them again. */
function readAssistant(blocks: readonly JsonObject[], at: string, warn: Warn): ChatMessage {
  const places = placesOf(blocks, at).filter(({ block, at: place }) => !isVendors(block, place, warn));
  const unknown = places.find(({ block }) => !assistantTypes.has(block["type"]));
  if (unknown !== undefined) throw unsupportedBlock(unknown.block, unknown.at);
  const readAll = <T>(type: string, read: (block: JsonObject, at: string) => T): readonly T[] =>
    places.filter(({ block }) => block["type"] === type).map((each) => read(each.block, each.at));
  const texts = readAll("text", (block, place) => textIn(block, "text", place));
  const calls = readAll("tool_use", callOf);
  const thoughts = readAll("thinking", (block, place) => textIn(block, "thinking", place));
  const signed = blocks.filter(isSigned);
  return {
    role: "assistant",
    content: texts.length === 0 && calls.length > 0 ? null : texts.join(""),
    ...(calls.length > 0 && { toolCalls: calls }),
    ...(thoughts.length > 0 && { reasoning: thoughts.join("\n\n") }),
    ...extraOf(blocks, signed.length > 0 && { reasoning_blocks: signed }),
  };
}

function readMessage(message: JsonObject, at: string, warn: Warn): readonly ChatMessage[] {
  const { role, content } = message;
  if (role === undefined) throw fieldFault(`${at}.role`, "is missing", "missing_field");
  const blocks = blocksOf(content, `${at}.content`);
  if (role === "user") return readUser(blocks, at, warn);
  if (role === "assistant") return [readAssistant(blocks, at, warn)];
  if (role === "system") return readSystem(blocks, `${at}.content`, warn);
  throw fieldFault(`${at}.role`, "must be user, assistant or system");
}

function readSystem(blocks: readonly JsonObject[], at: string, warn: Warn): readonly ChatMessage[] {
  const parts = partsOf(blocks, at, warn);
  if (parts.length === 0) return [];
  return [{ role: "system", content: contentOf(parts), ...extraOf(blocks) }];
}

/**
 * The request's messages in canonical form, those of the field `system` first and the others in their place;
 * `warn` hears what was left out. Throws `missing_field` and `invalid_value` naming the field.
 */
export function readMessages({ system, messages }: PromptBody, warn: Warn): readonly ChatMessage[] {
  const hasSystem = system !== undefined && system.length > 0;
  return [
    ...(hasSystem ? readSystem(blocksOf(system, "system"), "system", warn) : []),
    ...messages.flatMap((message, index) => readMessage(message, `messages[${index}]`, warn)),
  ];
}
