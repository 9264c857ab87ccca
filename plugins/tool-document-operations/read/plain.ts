import type { ReadJob, Reading } from "./document-text.ts";
import { decodeText } from "./decode-text.ts";

/** Texts are their own text. */
export const readPlain = async ({ bytes, charset }: ReadJob): Promise<Reading> => ({
  text: decodeText(bytes, charset),
});
