import {
  lastUserIndex,
  type ChatMessage,
  type Json,
  type JsonObject,
  type ModelCall,
  type ToolCall,
} from "@pergola/sdk";
import type { ModelTraits } from "./model-traits.ts";
import { pairResults, type Step } from "./pair-results.ts";
import type { ThoughtSignatures } from "./thought-signatures.ts";
import { isObject, parsed } from "./values.ts";
import { contentParts, contentText } from "./wire-parts.ts";

interface Content {
  readonly role: "user" | "model";
  readonly parts: readonly JsonObject[];
  /** Calls and their results have to stand next to each other, alone. */
  readonly alone?: boolean;
}

/**
 * Stands in for the signature of calls that another model made, or that were signed before the service
 * started: versions from 3 on refuse an unsigned call of the current turn
 * (https://ai.google.dev/gemini-api/docs/thought-signatures).
 */
const unsigned = "skip_thought_signature_validator";

const unanswered = "No result of this call is known.";
const missingBeginning = "(The beginning of this conversation was left out.)";

const argumentsOf = ({ arguments: text }: ToolCall): JsonObject => {
  const value = parsed(text);
  return isObject(value) ? (value as JsonObject) : {};
};

const isResult = (message: ChatMessage): boolean => message.role === "tool";

/** Gemini wants an object; text is wrapped. */
function responseOf(result: ChatMessage | undefined): JsonObject {
  if (result === undefined) return { error: unanswered };
  const text = contentText(result.content);
  const value = parsed(text);
  return isObject(value) ? (value as JsonObject) : { result: text === "" ? "(no output)" : text };
}

const mediaOf = (result: ChatMessage | undefined): readonly JsonObject[] =>
  typeof result?.content === "string"
    ? []
    : contentParts(result?.content ?? null).filter((part) => !("text" in part));

/** The results of a message's calls; images that came with them stand behind. */
function resultContent({ message: { toolCalls = [] }, results }: Step): Content {
  const parts = toolCalls.map(({ id, name }, at) => ({
    functionResponse: { id, name, response: responseOf(results[at]) },
  }));
  return { role: "user", parts: [...parts, ...results.flatMap(mediaOf)], alone: true };
}

/** The conversation as Gemini reads it: which signatures belong to it is asked of those that were kept. */
class Conversation {
  readonly #signatures: ThoughtSignatures;
  /** Calls of the current turn have to be signed. */
  readonly #strict: boolean;

  constructor(signatures: ThoughtSignatures, { generation }: ModelTraits) {
    this.#signatures = signatures;
    this.#strict = generation >= 3;
  }

  contentsOf(step: Step, inTurn: boolean): readonly Content[] {
    const { message } = step;
    if (isResult(message))
      return [
        {
          role: "user",
          parts: [{ text: `Result of ${message.name ?? "a tool"}:\n${contentText(message.content)}` }],
        },
      ];
    if (message.role !== "assistant") return [{ role: "user", parts: contentParts(message.content) }];
    const calls = (message.toolCalls ?? []).map((call, at) => this.#callPart(call, at === 0 && inTurn));
    const said: Content = { role: "model", parts: [...this.#saidParts(message), ...calls] };
    return calls.length === 0 ? [said] : [{ ...said, alone: true }, resultContent(step)];
  }

  #saidParts({ content }: ChatMessage): readonly JsonObject[] {
    const parts = contentParts(content);
    const signature = parts.length === 0 ? undefined : this.#signatures.ofText(contentText(content));
    return signature === undefined ? parts : [...parts, { text: "", thoughtSignature: signature }];
  }

  /** Of parallel calls only the first is signed. */
  #callPart(call: ToolCall, mustBeSigned: boolean): JsonObject {
    const thoughtSignature =
      this.#signatures.ofCall(call.id) ?? (mustBeSigned && this.#strict ? unsigned : undefined);
    const functionCall = { id: call.id, name: call.name, args: argumentsOf(call) };
    return { functionCall, ...(thoughtSignature === undefined ? {} : { thoughtSignature }) };
  }
}

/** Neighbours of one role say the same as one. */
function mergeNeighbours(contents: readonly Content[]): readonly Content[] {
  const merged: Content[] = [];
  for (const content of contents) {
    const last = merged.at(-1);
    const both =
      last?.role === content.role &&
      last.alone !== true &&
      (content.alone !== true || content.role === "model");
    if (both) merged[merged.length - 1] = { ...content, parts: [...last.parts, ...content.parts] };
    else merged.push(content);
  }
  return merged;
}

const beginsWithUser = (contents: readonly Content[]): readonly Content[] =>
  contents[0]?.role === "model"
    ? [{ role: "user", parts: [{ text: missingBeginning }] }, ...contents]
    : contents;

/**
 * The fields `contents` and `systemInstruction`: the system messages of the beginning are the instruction,
 * unless the model takes none or nothing else is said; later ones are told as the user's.
 */
export function buildContents(
  { messages }: ModelCall,
  traits: ModelTraits,
  signatures: ThoughtSignatures,
): JsonObject {
  const said = messages.filter(
    (message) => isResult(message) || message.toolCalls?.length || contentParts(message.content).length > 0,
  );
  const begun = said.findIndex(({ role }) => role !== "system" && (role as string) !== "developer");
  const instructed = begun > 0 && !traits.plain ? begun : 0;
  const spoken = said.slice(instructed);
  const turn = lastUserIndex(spoken);
  const started = spoken[turn];
  const conversation = new Conversation(signatures, traits);
  const steps = pairResults(spoken);
  const newest = steps.findIndex(({ message }) => message === started);
  const contents = beginsWithUser(
    mergeNeighbours(steps.flatMap((step, at) => conversation.contentsOf(step, at > newest))),
  );
  const instruction = said.slice(0, instructed).map(({ content }) => ({ text: contentText(content) }));
  return {
    ...(instruction.length === 0 ? {} : { systemInstruction: { parts: instruction } }),
    contents: contents.map(({ role, parts }): Json => ({ role, parts })),
  };
}
