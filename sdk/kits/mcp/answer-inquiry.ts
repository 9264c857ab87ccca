import type { JsonObject, ToolContext } from "@pergola/sdk";
import type { Inquiry, InquiryAnswer } from "./inquiry.ts";

const mostFields = 10;
/** Characters of a field's title that are shown. */
const longestTitle = 200;
const yes = /^(y|yes|true|ok|approved)$/i;

type Value = string | number | boolean | string[];

/** The choices of a field: those of an enumeration in each of its forms, yes and no of a boolean. */
function optionsOf(field: JsonObject): readonly string[] {
  if (field["type"] === "boolean") return ["yes", "no"];
  const { enum: listed, oneOf } = field as {
    readonly enum?: readonly unknown[];
    readonly oneOf?: readonly { readonly const?: unknown }[];
  };
  return [...(listed ?? []), ...(oneOf ?? []).map((one) => one.const)].filter(
    (one) => typeof one === "string",
  );
}

const fieldsOf = ({ requestedSchema }: Inquiry): readonly (readonly [string, JsonObject])[] =>
  Object.entries(requestedSchema?.properties ?? {});

/** Whether each field of an inquiry is a choice, so that nobody has to write. */
export const isChoice = (inquiry: Inquiry): boolean =>
  fieldsOf(inquiry).every(([, field]) => optionsOf(field).length > 0);

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

/** The words of an inquiry behind the server's name, so that nobody takes them for the host's. */
export const attributed = (server: string, { message }: Inquiry): string =>
  `The MCP server "${server}" asks, and will get the answer:\n${message}`;

const titleOf = (title: string): string => title.replaceAll(/\s+/g, " ").trim().slice(0, longestTitle);

/**
 * Puts a server's questions to the person, one for each field; a no to any declines them all. Who asks makes
 * the texts visible.
 */
export async function answerInquiry(server: string, inquiry: Inquiry, { ask }: Ask): Promise<InquiryAnswer> {
  const fields = fieldsOf(inquiry);
  if (inquiry.mode === "url" || fields.length > mostFields) return decline;
  const context = attributed(server, inquiry);
  if (fields.length === 0) return askConsent(server, context, { ask });
  const answers: (readonly [string, Value])[] = [];
  for (const [name, field] of fields) {
    const { title = name, type = "string" } = field as { readonly title?: string; readonly type?: string };
    const prompt = `The MCP server "${server}" asks: ${titleOf(title)}`;
    const answer = await ask({ prompt, context, options: optionsOf(field) });
    if (answer.decision === "denied") return decline;
    if (answer.text !== "") answers.push([name, (readers[type] ?? String)(answer.text)]);
  }
  return { action: "accept", content: Object.fromEntries(answers) };
}
