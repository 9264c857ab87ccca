import { parseArguments, type OfferedTool, type ToolCall } from "@pergola/sdk";
import type { NamedCall } from "@pergola/sdk/host";
import { FreeFormReader } from "./free-form-reader.ts";

/**
 * The text of a call whose tool takes free text. Some models write the text alone where they should write
 * JSON around it; some are cut off before its end.
 */
function freeFormText(args: string): string {
  try {
    const { input } = parseArguments(args);
    if (typeof input === "string") return input;
  } catch {
    // Not JSON, or not whole.
  }
  return new FreeFormReader().push(args) || args;
}

const formOf = (name: string, callerTools: readonly OfferedTool[]): ToolCall["form"] =>
  callerTools.find((tool) => tool.name === name)?.form;

/** A call with the form that the caller's format has for the tool, if it is one of `callerTools`. */
export function inCallersForm(call: NamedCall, callerTools: readonly OfferedTool[]): NamedCall {
  const form = formOf(call.name, callerTools);
  if (form === undefined) return call;
  if (form.freeForm !== true) return { ...call, form };
  return { ...call, form, arguments: JSON.stringify({ input: freeFormText(call.arguments) }) };
}

/** What the client gets of a call in pieces: its JSON text, or the free text of its tool. */
export function clientText({ arguments: args, form }: ToolCall): string {
  if (form?.freeForm === true) return freeFormText(args);
  return args;
}
