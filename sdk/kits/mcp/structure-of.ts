import { isDeepStrictEqual } from "node:util";

interface Answered {
  readonly content?: readonly { readonly type: string; readonly text?: unknown }[];
  readonly structuredContent?: unknown;
}

/** The structured content of a tool's answer as JSON, unless one of its texts says the same. */
export function structureOf({ content = [], structuredContent }: Answered): readonly string[] {
  if (structuredContent === undefined) return [];
  const isSaid = content.some(({ type, text }) => type === "text" && isSame(String(text), structuredContent));
  return isSaid ? [] : [JSON.stringify(structuredContent)];
}

function isSame(text: string, value: unknown): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(text), value);
  } catch {
    return false;
  }
}
