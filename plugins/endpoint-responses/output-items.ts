import { freeFormInput } from "@pergola/kit-provider";
import { defined, type ToolCall } from "@pergola/sdk";
import type { ItemPrefix } from "./ids.ts";

export type ItemStatus = "in_progress" | "completed" | "incomplete";

/** How an item that is made of text looks, and what the events of its growth are called. */
export interface TextForm {
  readonly prefix: ItemPrefix;
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

/** What an item of a call has, whatever the call's form: the name is that of the caller's own tool. */
const callFields = ({ id, name, form }: ToolCall) =>
  defined({ call_id: id, name: form?.name ?? name, namespace: form?.namespace });

/** How the item of a call looks, and what the events of its growth are called. */
export interface CallForm {
  readonly prefix: ItemPrefix;
  item(id: string, status: ItemStatus, call: ToolCall): object;
  textOf(call: ToolCall): string;
  readonly events: string;
  /** What the last of the events of its text says. */
  done(call: ToolCall): object;
}

const functionForm: CallForm = {
  prefix: "fc",
  item: (id, status, call) => ({
    id,
    type: "function_call",
    status,
    ...callFields(call),
    arguments: call.arguments,
  }),
  textOf: (call) => call.arguments,
  events: "response.function_call_arguments",
  done: ({ name, form, arguments: args }) => ({ name: form?.name ?? name, arguments: args }),
};

const customForm: CallForm = {
  prefix: "ctc",
  item: (id, status, call) => ({
    id,
    type: "custom_tool_call",
    status,
    ...callFields(call),
    input: freeFormInput(call.arguments),
  }),
  textOf: (call) => freeFormInput(call.arguments),
  events: "response.custom_tool_call_input",
  done: (call) => ({ input: freeFormInput(call.arguments) }),
};

export const callFormOf = ({ form }: ToolCall): CallForm =>
  form?.freeForm === true ? customForm : functionForm;
