import type { ToolContext } from "@pergola/sdk";
import { fitLineEnds } from "./lines.ts";
import { readEditable } from "./bytes.ts";

/** What became of an edit that was cut short, as far as the file tells. */
export type Outcome = "happened" | "did_not_happen" | "unknown";

/** The file's text, or nothing when there is none that could be judged. */
export const textNow = (context: ToolContext, path: string): Promise<string | undefined> =>
  readEditable(context, path).catch(() => undefined);

/**
 * An edit that added a piece: where the piece is nowhere in the file, it was not made; where it is, it may
 * have been there before.
 */
export const outcomeOfAdding = (text: string | undefined, piece: string): Outcome =>
  text !== undefined && !text.includes(fitLineEnds(piece, text)) ? "did_not_happen" : "unknown";

/**
 * An edit that put `newString` in the place of every `oldString`. Files are replaced as a whole, so it
 * happened everywhere or nowhere. Nothing new there: not made. Nothing old left: made. Both there (the new
 * text may hold the old one, or stand elsewhere): unknown.
 */
export function outcomeOfReplacing(text: string | undefined, oldString: string, newString: string): Outcome {
  if (text === undefined) return "unknown";
  const hasOld = text.includes(fitLineEnds(oldString, text));
  if (newString !== "" && !text.includes(fitLineEnds(newString, text)))
    return hasOld ? "did_not_happen" : "unknown";
  return hasOld ? "unknown" : "happened";
}
