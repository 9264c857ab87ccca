import type { Mark } from "../marks/mark.ts";

/** The file pattern that a mark means; undefined for one that means none. */
export function globOf({ kind, value }: Mark): string | undefined {
  const text = String(value);
  if (kind === "glob") return text;
  if (kind === "extension") return text === ".env" ? "**/.env" : `**/*${text}`;
  if (kind === "path") return /[/\\]/.test(text) ? text : `**/${text}`;
  if (kind === "text" || kind === "name" || kind === "symbol")
    return /[*?]/.test(text) ? text : text.includes(".") ? `**/${text}` : `**/*${text}*`;
  return undefined;
}
