import { parseArguments, type OfferedTool } from "@pergola/sdk";
import type { NamedCall } from "@pergola/sdk/host";

/** Some models write the text alone where they should write JSON around it. */
function freeFormArguments(text: string): string {
  try {
    const { input } = parseArguments(text);
    if (typeof input === "string") return JSON.stringify({ input });
  } catch {
    // Not JSON: the text is the input.
  }
  return JSON.stringify({ input: text });
}

/** A call with the form that the caller's format has for the tool, if it is one of `callerTools`. */
export function inCallersForm(call: NamedCall, callerTools: readonly OfferedTool[]): NamedCall {
  const form = callerTools.find(({ name }) => name === call.name)?.form;
  if (form === undefined) return call;
  if (form.freeForm !== true) return { ...call, form };
  return { ...call, form, arguments: freeFormArguments(call.arguments) };
}
