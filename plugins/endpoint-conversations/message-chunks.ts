/** Code units of text sent at a time: far less than a slow client may leave unread before it is cut off. */
const pieceSize = 65_536;

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
  pages: AsyncIterable<readonly object[]>,
): AsyncIterable<string> {
  let text = `${JSON.stringify(detail).slice(0, -1)},"messages":[`;
  let separator = "";
  for await (const page of pages) {
    for (const message of page) {
      text += separator + JSON.stringify(message);
      separator = ",";
      if (text.length < pieceSize) continue;
      yield* pieces(text);
      text = "";
    }
  }
  yield* pieces(`${text}]}`);
}
