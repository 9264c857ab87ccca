import { decodeText } from "@pergola/kit-file-facts";
import type { ReadJob, Reading } from "./document-text.ts";

/** Texts are their own text; line ends become LF. */
export const readPlain = async ({ bytes, charset }: ReadJob): Promise<Reading> => ({
  text: decodeText(bytes, charset).replaceAll(/\r\n?/g, "\n"),
});
