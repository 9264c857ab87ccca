import {
  defined,
  isObject,
  lastUserIndex,
  type ChatMessage,
  type JsonObject,
  type ToolCall,
} from "@pergola/sdk";
import {
  argumentsOf,
  contentText,
  mergeNeighbours,
  noOutput,
  noResult,
  unpairedResultTitle,
  pairCalls,
  parseJson,
  type Exchange,
} from "@pergola/kit-provider";
import type { ModelTraits } from "./model-traits.ts";
import type { ThoughtSignatures } from "./thought-signatures.ts";
import { contentParts } from "./wire-parts.ts";

type Parts = readonly JsonObject[];

interface Content {
  readonly role: "user" | "model";
  readonly parts: Parts;
  /** Calls and their results have to stand next to each other, without other parts. */
  readonly hasCalls?: boolean;
}

/**
 * Stands in for the signature of calls that another model made, or that were signed before the service
 * started: versions from 3 on refuse an unsigned call of the current turn
 * (https://ai.google.dev/gemini-api/docs/thought-signatures).
 */
const standInSignature = "skip_thought_signature_validator";

const userText = (text: string): Content => ({ role: "user", parts: [{ text }] });
const missingBeginning = userText("(The beginning of this conversation was left out.)");

/** Gemini wants an object; text is wrapped. */
function responseOf(result: ChatMessage | undefined): JsonObject {
  if (result === undefined) return { error: noResult };
  const text = contentText(result.content);
  const value = parseJson(text);
  if (isObject(value)) return value as JsonObject;
  return { result: text || noOutput };
}

function mediaOf(result: ChatMessage | undefined): Parts {
  const content = result?.content ?? null;
  if (typeof content === "string") return [];
  return contentParts(content).filter((part) => !("text" in part));
}

/** The results of a message's calls; images that came with them stand behind. */
function resultContent({ message: { toolCalls = [] }, results }: Exchange): Content {
  const parts = toolCalls.map(({ id, name }, index) => ({
    functionResponse: { id, name, response: responseOf(results[index]) },
  }));
  return { role: "user", parts: [...parts, ...results.flatMap(mediaOf)], hasCalls: true };
}

/** Translates messages, and adds the signatures that belong to them. */
class ContentBuilder {
  readonly #signatures: ThoughtSignatures;
  /** Calls of the current turn have to be signed. */
  readonly #isStrict: boolean;

  constructor(signatures: ThoughtSignatures, { generation }: ModelTraits) {
    this.#signatures = signatures;
    this.#isStrict = generation >= 3;
  }

  build(exchange: Exchange, isInTurn: boolean): readonly Content[] {
    const { message } = exchange;
    const { role, content, toolCalls = [] } = message;
    if (role === "tool") return [userText(`${unpairedResultTitle(message)}\n${contentText(content)}`)];
    if (role !== "assistant") return [{ role: "user", parts: contentParts(content) }];
    const calls = toolCalls.map((call, index) => this.#callPart(call, isInTurn && index === 0));
    const parts = [...this.#answerParts(message), ...calls];
    if (calls.length === 0) return [{ role: "model", parts }];
    return [{ role: "model", parts, hasCalls: true }, resultContent(exchange)];
  }

  #answerParts({ content }: ChatMessage): Parts {
    const parts = contentParts(content);
    const thoughtSignature = this.#signatures.ofText(contentText(content));
    if (parts.length === 0 || thoughtSignature === undefined) return parts;
    return [...parts, { text: "", thoughtSignature }];
  }

  /** Of parallel calls only the first is signed. */
  #callPart(call: ToolCall, mustBeSigned: boolean): JsonObject {
    const standIn = mustBeSigned && this.#isStrict ? standInSignature : undefined;
    return defined({
      functionCall: { id: call.id, name: call.name, args: argumentsOf(call) },
      thoughtSignature: this.#signatures.ofCall(call.id) ?? standIn,
    });
  }
}

function merge(previous: Content, next: Content): Content | undefined {
  const { role, hasCalls = false } = next;
  if (previous.role !== role || previous.hasCalls === true) return undefined;
  if (hasCalls && role === "user") return undefined;
  return { ...next, parts: [...previous.parts, ...next.parts] };
}

function withUserFirst(contents: readonly Content[]): readonly Content[] {
  if (contents[0]?.role !== "model") return contents;
  return [missingBeginning, ...contents];
}

const hasContent = ({ role, toolCalls = [], content }: ChatMessage): boolean =>
  role === "tool" || toolCalls.length > 0 || contentParts(content).length > 0;

/**
 * The fields `contents` and `systemInstruction`: the system messages of the beginning are the instruction,
 * unless the model takes none or nothing else is there; later ones become the user's.
 */
export function buildContents(
  messages: readonly ChatMessage[],
  traits: ModelTraits,
  signatures: ThoughtSignatures,
): JsonObject {
  const used = messages.filter(hasContent);
  const start = used.findIndex(({ role }) => !["system", "developer"].includes(role));
  const headLength = traits.plain ? 0 : Math.max(0, start);
  const instruction = used.slice(0, headLength).map(({ content }) => ({ text: contentText(content) }));
  const spoken = used.slice(headLength);
  const prompt = spoken[lastUserIndex(spoken)];
  const exchanges = pairCalls(spoken);
  const newest = exchanges.findIndex(({ message }) => message === prompt);
  const builder = new ContentBuilder(signatures, traits);
  const built = exchanges.flatMap((exchange, index) => builder.build(exchange, index > newest));
  const contents = withUserFirst(mergeNeighbours(built, merge));
  return {
    ...(instruction.length > 0 && { systemInstruction: { parts: instruction } }),
    contents: contents.map(({ role, parts }) => ({ role, parts })),
  };
}
