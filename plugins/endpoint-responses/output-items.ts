import type { ToolCall } from "@pergola/sdk";

export type ItemStatus = "in_progress" | "completed" | "incomplete";

/** How an item that is made of text looks, and what the events of its growth are called. */
export interface TextForm {
  readonly prefix: "msg" | "rs";
  /** Without `text` as it begins: nothing is in it yet. */
  item(id: string, status: ItemStatus, text?: string): object;
  part(text: string): object;
  /** Where the part stands in the item. */
  readonly place: object;
  readonly partEvents: string;
  readonly textEvents: string;
  /** What the events of its text hold besides the text. */
  readonly textFields: object;
}

const outputText = (text: string) => ({ type: "output_text", text, annotations: [], logprobs: [] });
const summaryText = (text: string) => ({ type: "summary_text", text });
const partsOf = (part: (text: string) => object, text?: string): readonly object[] =>
  text === undefined ? [] : [part(text)];

export const textForms: Readonly<Record<"text" | "reasoning", TextForm>> = {
  text: {
    prefix: "msg",
    item: (id, status, text) => ({
      id,
      type: "message",
      role: "assistant",
      status,
      content: partsOf(outputText, text),
    }),
    part: outputText,
    place: { content_index: 0 },
    partEvents: "response.content_part",
    textEvents: "response.output_text",
    textFields: { logprobs: [] },
  },
  reasoning: {
    prefix: "rs",
    item: (id, status, text) => ({
      id,
      type: "reasoning",
      status,
      summary: partsOf(summaryText, text),
    }),
    part: summaryText,
    place: { summary_index: 0 },
    partEvents: "response.reasoning_summary_part",
    textEvents: "response.reasoning_summary_text",
    textFields: {},
  },
};

export const callItem = (
  id: string,
  status: ItemStatus,
  { id: callId, name, arguments: args }: ToolCall,
) => ({
  id,
  type: "function_call",
  status,
  call_id: callId,
  name,
  arguments: args,
});
