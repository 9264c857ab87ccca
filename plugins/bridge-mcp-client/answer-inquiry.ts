import type { JsonObject, ToolContext } from "@pergola/sdk";
import type { Inquiry, InquiryAnswer } from "./link.ts";
import { shortened, visible } from "./visible.ts";

const mostFields = 10;
const yes = /^(y|yes|true|ok|approved)$/i;

type Value = string | number | boolean | string[];

/** The choices of a field: those of an enumeration in each of its forms, yes and no of a boolean. */
function optionsOf(field: JsonObject): readonly string[] {
  if (field["type"] === "boolean") return ["yes", "no"];
  const { enum: listed, oneOf } = field as {
    readonly enum?: readonly unknown[];
    readonly oneOf?: readonly { readonly const?: unknown }[];
  };
  return [...(listed ?? []), ...(oneOf ?? []).map((one) => one.const)]
    .filter((one) => typeof one === "string")
    .map((one) => visible(one));
}

const readers: Readonly<Record<string, (text: string) => Value>> = {
  boolean: (text) => yes.test(text.trim()),
  number: Number,
  integer: (text) => Math.round(Number(text)),
  array: (text) => text.split(/\s*,\s*/),
};

type Ask = Pick<ToolContext, "ask">;
const decline = { action: "decline" } as const;

/** An inquiry without fields: a plain yes or no. */
async function askConsent(server: string, context: string, { ask }: Ask): Promise<InquiryAnswer> {
  const prompt = `The MCP server "${server}" asks for your consent.`;
  const { decision, text } = await ask({ prompt, context, options: ["yes", "no"] });
  const isYes = decision === "approved" || (decision === "text" && yes.test(text.trim()));
  return isYes ? { action: "accept" } : decline;
}

/**
 * Puts a server's questions to the person, one for each field; a no to any declines them all. The server's
 * name stands before its words, so that nobody takes them for the host's.
 */
export async function answerInquiry(server: string, inquiry: Inquiry, { ask }: Ask): Promise<InquiryAnswer> {
  const fields = Object.entries(inquiry.requestedSchema?.properties ?? {});
  if (inquiry.mode === "url" || fields.length > mostFields) return decline;
  const context = `The MCP server "${server}" asks, and will get the answer:\n${visible(inquiry.message)}`;
  if (fields.length === 0) return askConsent(server, context, { ask });
  const answers: (readonly [string, Value])[] = [];
  for (const [name, field] of fields) {
    const { title = name, type = "string" } = field as { readonly title?: string; readonly type?: string };
    const answer = await ask({
      prompt: `The MCP server "${server}" asks: ${shortened(title, 200)}`,
      context,
      options: optionsOf(field),
    });
    if (answer.decision === "denied") return decline;
    if (answer.text !== "") answers.push([name, (readers[type] ?? String)(answer.text)]);
  }
  return { action: "accept", content: Object.fromEntries(answers) };
}
