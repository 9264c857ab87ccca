import type {
  ChatMessage,
  ContentPart,
  FinishReason,
  Json,
  JsonObject,
  ModelCallSummary,
  ToolCall,
  ToolCallSummary,
} from "@pergola/sdk";
import { attribute } from "./gen-ai.ts";

type Part = JsonObject;

/** Takes secrets out of a text, or of the texts of an object. */
export type Redact = <T extends Json | JsonObject>(value: T) => T;

/** Characters of one text, and of the messages of one call; what is older is left out. */
const [longestText, mostCharacters] = [16_384, 131_072];

const cut = (text: string): string => (text.length <= longestText ? text : `${text.slice(0, longestText)}…`);

/** The conventions' word for why an answer ended; there is none for one that broke off but `error`. */
const finishOf = (reason: FinishReason | undefined): string =>
  reason === "tool_calls" ? "tool_call" : (reason ?? "error");

const resultText = ({ content, data, error, message }: ToolCallSummary["result"]): string =>
  content ?? data ?? error ?? message ?? "";

/** Texts as spans have them, in the forms of the conventions: without secrets, and of bounded length. */
export class Content {
  readonly #redact: Redact;

  constructor(redact: Redact) {
    this.#redact = redact;
  }

  /** The texts of a model call, by their attributes. */
  ofModelCall({ content, finishReason }: ModelCallSummary): Readonly<Record<string, string>> {
    if (content === undefined) return {};
    const { messages, ...answer } = content();
    const system = messages.filter(({ role }) => role === "system");
    const rest = messages.filter(({ role }) => role !== "system");
    const parts = this.#answerParts({ ...answer, content: answer.text, toolCalls: answer.calls });
    return {
      [attribute.system]: JSON.stringify(system.flatMap((message) => this.#parts(message.content))),
      [attribute.inputMessages]: JSON.stringify(this.#newest(rest)),
      [attribute.outputMessages]: JSON.stringify([
        { role: "assistant", parts, finish_reason: finishOf(finishReason) },
      ]),
    };
  }

  /** The texts of a tool call, by their attributes. */
  ofToolCall({ call, result }: ToolCallSummary): Readonly<Record<string, string>> {
    return {
      [attribute.toolArguments]: cut(JSON.stringify(this.#redact(call.arguments))),
      [attribute.toolResult]: this.#clean(resultText(result)),
    };
  }

  /** What is cut first may end within a secret, which nobody would know again. */
  #clean(text: string): string {
    return cut(this.#redact(text));
  }

  /** The newest that fit. */
  #newest(messages: readonly ChatMessage[]): readonly JsonObject[] {
    const kept: JsonObject[] = [];
    let characters = 0;
    for (const message of messages.toReversed()) {
      const made = this.#message(message);
      characters += JSON.stringify(made).length;
      if (characters > mostCharacters) break;
      kept.unshift(made);
    }
    return kept;
  }

  #message(message: ChatMessage): JsonObject {
    const { role, content, toolCallId = "" } = message;
    if (role !== "tool") return { role, parts: this.#answerParts(message) };
    const response = typeof content === "string" ? this.#clean(content) : this.#parts(content);
    return { role, parts: [{ type: "tool_call_response", id: toolCallId, response }] };
  }

  #answerParts(of: Pick<ChatMessage, "content" | "reasoning" | "toolCalls">): Part[] {
    const { content, reasoning = "", toolCalls = [] } = of;
    const thought = reasoning === "" ? [] : [{ type: "reasoning", content: this.#clean(reasoning) }];
    return [...thought, ...this.#parts(content), ...toolCalls.map((call) => this.#call(call))];
  }

  #parts(content: ChatMessage["content"]): Part[] {
    if (content === null || content === "") return [];
    if (typeof content === "string") return [{ type: "text", content: this.#clean(content) }];
    return content.map((part) => this.#part(part));
  }

  /** A picture is only named. */
  #part(part: ContentPart): Part {
    if (part.type === "text") return { type: "text", content: this.#clean(part.text) };
    const { url } = part.image_url;
    if (url.startsWith("data:")) return { type: "blob", modality: "image" };
    return { type: "uri", modality: "image", uri: this.#clean(url) };
  }

  #call({ id, name, arguments: text }: ToolCall): Part {
    return { type: "tool_call", id, name, arguments: this.#arguments(text) };
  }

  /** As JSON where they are short enough to be whole. */
  #arguments(text: string): Json {
    if (text.length > longestText) return this.#clean(text);
    try {
      return this.#redact(JSON.parse(text) as Json);
    } catch {
      return this.#clean(text);
    }
  }
}
