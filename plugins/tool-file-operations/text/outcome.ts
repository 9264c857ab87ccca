import type { ToolContext } from "@pergola/sdk";
import { fitLineEnds } from "./lines.ts";
import { readEditable } from "./bytes.ts";
import type { Replacement } from "./replace.ts";

/** What became of an edit that was cut short, as far as the file tells. */
type Outcome = "happened" | "did_not_happen" | "unknown";

/** The file's text, or nothing when there is none that could be judged. */
export const textNow = (context: ToolContext, path: string): Promise<string | undefined> =>
  readEditable(context, path).catch(() => undefined);

/**
 * An edit that added a piece: where the piece is nowhere in the file, it was not made; where it is, it may
 * have been there before.
 */
export async function outcomeOfAdding(context: ToolContext, path: string, piece: string): Promise<Outcome> {
  const text = await textNow(context, path);
  if (text === undefined || text.includes(fitLineEnds(piece, text))) return "unknown";
  return "did_not_happen";
}

/**
 * An edit that put `newString` in the place of every `oldString`. Files are replaced as a whole, so it
 * happened everywhere or nowhere. Nothing new there: not made. Nothing old left: made. Both there (the new
 * text may hold the old one, or stand elsewhere): unknown.
 */
export async function outcomeOfReplacing(
  context: ToolContext,
  { filePath, oldString, newString }: Replacement,
): Promise<Outcome> {
  const text = await textNow(context, filePath);
  if (text === undefined) return "unknown";
  const hasOld = text.includes(fitLineEnds(oldString, text));
  const hasNew = newString === "" || text.includes(fitLineEnds(newString, text));
  if (hasNew === hasOld) return "unknown";
  if (hasNew) return "happened";
  return "did_not_happen";
}
