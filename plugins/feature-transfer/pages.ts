import { setImmediate } from "node:timers/promises";

/** Records read at a time. */
export const pageSize = 100;

/** Records that are dealt with before others have their turn: a live text waits no longer. */
const turn = 25;

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

/** The records of a page; others have their turn after every few. */
export async function* inTurns<T>(page: readonly T[]): AsyncIterable<T> {
  for (const [index, item] of page.entries()) {
    yield item;
    if (index % turn === turn - 1) await setImmediate();
  }
}

/** All of a list that is read page by page; others have their turn meanwhile. */
export async function* pages<T>(
  read: (page: { readonly offset: number; readonly limit: number }) => Promise<readonly T[]>,
): AsyncIterable<T> {
  for (let offset = 0; ; offset += pageSize) {
    const page = await read({ offset, limit: pageSize });
    yield* inTurns(page);
    if (page.length < pageSize) return;
  }
}
