import { ToolError } from "@pergola/sdk";

/**
 * A value that git may be handed: on one line, and not to be taken for an option. Throws ToolError
 * `invalid_value`.
 */
export function plainValue(name: string, value: string): string {
  const text = value.trim();
  if (text.startsWith("-"))
    throw new ToolError("invalid_value", `${name} begins with "-".`, {
      hint: "Leave the dashes at its beginning out: parts of words are found too.",
    });
  // eslint-disable-next-line no-control-regex -- these are what is refused
  if (text === "" || /[\0-\x1f\x7f]/.test(text))
    throw new ToolError("invalid_value", `${name} is empty, or not a single line of text.`, {
      hint: "Give a word or a phrase.",
    });
  return text;
}
