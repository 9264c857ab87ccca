import { visibleText } from "@pergola/sdk/host";

/**
 * What another program says, on one line and no longer than `limit` characters, with a sign for each that a
 * person could not see.
 */
export function shortened(text: string, limit: number): string {
  const line = visibleText(text.replaceAll(/\s+/g, " ").trim());
  return line.length <= limit ? line : `${line.slice(0, limit - 1)}…`;
}
