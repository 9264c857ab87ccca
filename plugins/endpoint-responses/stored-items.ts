import { defined, type ContentPart, type Message, type RunRecord, type Services } from "@pergola/sdk";
import { itemId, messageItemId, responseIdOf, type ItemPrefix } from "./ids.ts";
import { callFormOf, textForms } from "./output-items.ts";

/** More messages than a conversation has. */
export const everyMessage = 1_000_000;

/** An item and the message that it shows. */
export interface StoredItem {
  readonly item: Readonly<Record<string, unknown>> & { readonly id: string };
  readonly message: Message;
}

type Call = NonNullable<Message["toolCalls"]>[number];

const callersCalls = ({ toolCalls = [] }: Message): readonly Call[] =>
  toolCalls.filter(({ callers }) => callers === true);

const hasText = (text: string | null | undefined): text is string => (text ?? "").trim() !== "";

/** Gives items their ids: those of a run by their place in its output, others by their message. */
class ItemIds {
  readonly #counts = new Map<string, number>();

  next(prefix: ItemPrefix, { id, runId }: Message): string {
    const base = runId === null ? messageItemId(prefix, id) : responseIdOf(runId);
    const count = this.#counts.get(prefix + base) ?? 0;
    this.#counts.set(prefix + base, count + 1);
    if (runId !== null) return itemId(prefix, base, count);
    return count === 0 ? base : `${base}_${count}`;
  }
}

/** What the assistant said, and its calls of the caller's tools. */
function assistantItems(message: Message, ids: ItemIds, withReasoning: boolean): readonly StoredItem[] {
  const { content, streamedText, reasoningContent, completionReason } = message;
  const status = completionReason === "cancelled" ? "incomplete" : "completed";
  const text = [streamedText, content].find(hasText);
  const texts = [
    ...(withReasoning && hasText(reasoningContent) ? [[textForms.reasoning, reasoningContent] as const] : []),
    ...(text === undefined ? [] : [[textForms.text, text] as const]),
  ];
  const items = [
    ...texts.map(([form, words]) => form.item(ids.next(form.prefix, message), status, words)),
    ...callersCalls(message).map((call) => {
      const form = callFormOf(call);
      return form.item(ids.next(form.prefix, message), "completed", call);
    }),
  ];
  return items.map((item) => ({ item: item as StoredItem["item"], message }));
}

/** The output of a run, by its stored messages: the texts and the calls that its client has seen. */
export const outputOf = (messages: readonly Message[], runId: string): readonly object[] => {
  const ids = new ItemIds();
  return messages
    .filter((message) => message.runId === runId && message.role === "assistant" && message.visible)
    .flatMap((message) => assistantItems(message, ids, true))
    .map(({ item }) => item);
};

const inputPart = (part: ContentPart) =>
  part.type === "text"
    ? { type: "input_text", text: part.text }
    : defined({
        type: "input_image",
        image_url: part.image_url.url,
        detail: part.image_url.detail ?? "auto",
      });

const inputParts = ({ content, contentParts }: Message): readonly object[] =>
  ((contentParts as readonly ContentPart[] | undefined) ?? [{ type: "text", text: content ?? "" }]).map(
    inputPart,
  );

const userItem = (message: Message) => ({
  id: messageItemId("msg", message.id),
  type: "message",
  role: message.role,
  status: "completed",
  content: inputParts(message),
});

/** The answer of a client to a call of one of its tools. */
const answerItem = (message: Message, call: Call) => {
  const type = call.form?.freeForm === true ? "custom_tool_call_output" : "function_call_output";
  return {
    id: messageItemId(type === "function_call_output" ? "fco" : "ctco", message.id),
    type,
    status: "completed",
    call_id: call.id,
    output: message.contentParts === undefined ? (message.content ?? "") : inputParts(message),
  };
};

/** What clients see of stored messages, as items; `withReasoning` also what models thought. */
export function itemsOf(messages: readonly Message[], withReasoning = false): readonly StoredItem[] {
  const ids = new ItemIds();
  const calls = new Map(messages.flatMap(callersCalls).map((call) => [call.id, call]));
  return messages
    .filter(({ visible, role }) => visible || role === "tool")
    .flatMap((message): readonly StoredItem[] => {
      if (message.role === "assistant") return assistantItems(message, ids, withReasoning);
      if (message.role !== "tool") return [{ item: userItem(message), message }];
      const call = calls.get(message.toolCallId ?? "");
      return call === undefined ? [] : [{ item: answerItem(message, call), message }];
    });
}

/** All that a run has stored, what its request brought included; copies on other branches left out. */
export async function readRunMessages(
  { id, conversationId }: Pick<RunRecord, "id" | "conversationId">,
  { conversations }: Pick<Services, "conversations">,
): Promise<readonly Message[]> {
  const page = { limit: everyMessage, allBranches: true, runId: id };
  const messages = await conversations.messages(conversationId, page);
  return messages.filter(({ branch }) => branch === messages[0]?.branch);
}
