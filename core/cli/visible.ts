import { styleText } from "node:util";
import { visibleText } from "@pergola/sdk/host";

/** Whether an output takes styles: a file, a pipe or a terminal without abilities takes none. */
export const takesStyles = (
  { isTTY = false }: { readonly isTTY?: boolean },
  { NO_COLOR, TERM }: NodeJS.ProcessEnv,
): boolean => isTTY && NO_COLOR === undefined && TERM !== "dumb";

export const hasColours = takesStyles(process.stdout, process.env);

/** Styled where a terminal shows it, plain where a file or a pipe takes it. */
export function styled(style: Parameters<typeof styleText>[0], text: string): string {
  if (!hasColours) return text;
  return styleText(style, text);
}

/** A string as it is, any other value as JSON. */
export function textOfValue(value: unknown): string {
  if (typeof value === "string") return value;
  return JSON.stringify(value);
}

export const visible = visibleText;

/** The same for text that is only read, where the joiners of scripts and emoji belong to the words. */
export const readable = (text: string): string => text.replaceAll(/[^\u200c\u200d]+/g, visible);
