import { setImmediate } from "node:timers/promises";
import { wireMessage, type ConversationService, type Message } from "@pergola/sdk";

/**
 * Messages read at a time: few enough that no other request waits long, whatever the conversation's length.
 */
export const pageSize = 200;

/** Code units of text sent at a time: far less than a slow client may leave unread before it is cut off. */
const pieceSize = 65_536;

type Reader = Pick<ConversationService, "messages">;

export const firstPage = (reader: Reader, id: string): Promise<readonly Message[]> =>
  reader.messages(id, { limit: pageSize });

/** The pages from the first one on, each read when the one before is used up. */
async function* pages(
  reader: Reader,
  id: string,
  first: readonly Message[],
): AsyncIterable<readonly Message[]> {
  for (let page = first; page.length > 0;) {
    yield page;
    const after = page.at(-1)?.seq;
    if (page.length < pageSize || after === undefined) return;
    await setImmediate();
    page = await reader.messages(id, { limit: pageSize, after });
  }
}

/** Pieces of at most `pieceSize` code units and one, never cut within a character. */
function* pieces(text: string): Iterable<string> {
  for (let start = 0; start < text.length;) {
    const end = Math.min(start + pieceSize, text.length);
    const cut = /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end + 1 : end;
    yield text.slice(start, cut);
    start = cut;
  }
}

/** `detail` with its messages as JSON text, piece by piece: no more than a page of them is in memory. */
export async function* detailChunks(
  detail: object,
  reader: Reader,
  id: string,
  first: readonly Message[],
): AsyncIterable<string> {
  let text = `${JSON.stringify(detail).slice(0, -1)},"messages":[`;
  let separator = "";
  for await (const page of pages(reader, id, first)) {
    for (const message of page) {
      text += separator + JSON.stringify(wireMessage(message));
      separator = ",";
      if (text.length < pieceSize) continue;
      yield* pieces(text);
      text = "";
    }
  }
  yield* pieces(`${text}]}`);
}
