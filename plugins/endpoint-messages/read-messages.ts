import type { ChatMessage, ContentPart, JsonObject, ToolCall } from "@pergola/sdk";
import type { ShownBody } from "./body-schema.ts";
import { fault } from "./fault.ts";
import { blocksOf, contentOf, extraOf, partOf, textIn, typeOf } from "./read-blocks.ts";

interface Result {
  readonly message: ChatMessage;
  /** Images stand beside a tool's result, not in it. */
  readonly images: readonly ContentPart[];
}

function resultOf(block: JsonObject, at: string): Result {
  const parts = blocksOf(block["content"] ?? "", `${at}.content`).map((part, index) =>
    partOf(part, `${at}.content[${index}]`),
  );
  const said = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
  const content = block["is_error"] === true ? JSON.stringify({ success: false, error: said }) : said;
  const images = parts.filter(({ type }) => type === "image_url");
  return {
    message: { role: "tool", toolCallId: textIn(block, "tool_use_id", at), content, ...extraOf([block]) },
    images,
  };
}

/** What a person says, behind the results that came with it. */
function readUser(blocks: readonly JsonObject[], at: string): readonly ChatMessage[] {
  const isResult = ({ type }: JsonObject): boolean => type === "tool_result";
  const results = blocks.flatMap((block, index) =>
    isResult(block) ? [resultOf(block, `${at}.content[${index}]`)] : [],
  );
  const parts = blocks.flatMap((block, index) =>
    isResult(block) ? [] : [partOf(block, `${at}.content[${index}]`)],
  );
  const own = [...results.flatMap(({ images }) => images), ...parts];
  const said: readonly ChatMessage[] =
    own.length === 0
      ? []
      : [{ role: "user", content: contentOf(own), ...extraOf(blocks.filter((block) => !isResult(block))) }];
  return [...results.map(({ message }) => message), ...said];
}

function callOf(block: JsonObject, at: string): ToolCall {
  const { input = {} } = block;
  if (typeof input !== "object" || input === null || Array.isArray(input))
    throw fault(`${at}.input`, "must be an object");
  return { id: textIn(block, "id", at), name: textIn(block, "name", at), arguments: JSON.stringify(input) };
}

/** Thoughts are handed on as they came, so that a provider that signed them finds them again. */
function readAssistant(blocks: readonly JsonObject[], at: string): ChatMessage {
  const known = ["text", "tool_use", "thinking", "redacted_thinking"];
  const strange = blocks.findIndex(({ type }) => !known.includes(type as string));
  if (strange >= 0)
    throw fault(
      `${at}.content[${strange}]`,
      `is of type ${typeOf(blocks[strange])}, which is not taken here`,
    );
  const of = (type: string) =>
    blocks.flatMap((block, index) =>
      block["type"] === type ? [{ block, at: `${at}.content[${index}]` }] : [],
    );
  const said = of("text").map(({ block, at: place }) => textIn(block, "text", place));
  const calls = of("tool_use").map(({ block, at: place }) => callOf(block, place));
  const thought = of("thinking").map(({ block, at: place }) => textIn(block, "thinking", place));
  const signed = blocks.filter(
    ({ type, signature }) => type === "redacted_thinking" || (type === "thinking" && Boolean(signature)),
  );
  return {
    role: "assistant",
    content: said.length === 0 && calls.length > 0 ? null : said.join(""),
    ...(calls.length === 0 ? {} : { toolCalls: calls }),
    ...(thought.length === 0 ? {} : { reasoning: thought.join("\n\n") }),
    ...extraOf(blocks, signed.length === 0 ? {} : { reasoning_blocks: signed }),
  };
}

function readMessage(message: JsonObject, at: string): readonly ChatMessage[] {
  const { role, content } = message;
  if (role === undefined) throw fault(`${at}.role`, "is missing", "missing_field");
  const blocks = blocksOf(content, `${at}.content`);
  if (role === "user") return readUser(blocks, at);
  if (role === "assistant") return [readAssistant(blocks, at)];
  throw fault(`${at}.role`, "must be user or assistant; what the system says stands in the field system");
}

function readSystem(system: ShownBody["system"]): readonly ChatMessage[] {
  if (system === undefined || system.length === 0) return [];
  const blocks = blocksOf(system, "system");
  const texts = blocks.map((block, index) => partOf(block, `system[${index}]`));
  return [{ role: "system", content: contentOf(texts), ...extraOf(blocks) }];
}

/**
 * The request's messages in canonical form, those of the system first. Throws `missing_field` and
 * `invalid_value` naming the field.
 */
export function readMessages({ system, messages }: ShownBody): readonly ChatMessage[] {
  return [
    ...readSystem(system),
    ...messages.flatMap((message, index) => readMessage(message, `messages[${index}]`)),
  ];
}
