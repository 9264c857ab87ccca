import { setImmediate } from "node:timers/promises";

/** Records read at a time: few enough that no other request waits long. */
export const pageSize = 25;

/** Code units of text that are sent at a time. */
const pieceSize = 65_536;

/** The same text in larger pieces. */
export async function* pieces(texts: AsyncIterable<string>): AsyncIterable<string> {
  let text = "";
  for await (const one of texts) {
    text += one;
    if (text.length < pieceSize) continue;
    yield text;
    text = "";
  }
  yield text;
}

/** All of a list that is read page by page; others get their turn between two pages. */
export async function* pages<T>(
  read: (page: { readonly offset: number; readonly limit: number }) => Promise<readonly T[]>,
): AsyncIterable<T> {
  for (let offset = 0; ; offset += pageSize) {
    const page = await read({ offset, limit: pageSize });
    yield* page;
    if (page.length < pageSize) return;
    await setImmediate();
  }
}
