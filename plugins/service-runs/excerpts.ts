/** Characters that a text of a step may have. */
export const mostCharacters = 4096;
/** Characters of what is equal that are shown on either side of a change. */
const context = 80;
/** Characters on either side that are looked through for secrets. */
const margin = 4096;
/** Characters that are compared at once. */
const stride = 1024;

const ellipsis = "…";

type Pair = readonly [before: string, after: string];

/** The text without half a character at either end. */
const wellFormed = (text: string): string => text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");

/** The text, or its beginning. */
export function cutText(text: string, most = mostCharacters): string {
  return text.length <= most ? text : wellFormed(text.slice(0, most - 1)) + ellipsis;
}

/**
 * Two texts without secrets, cut down to where they differ. Long ones are cut before they are looked through
 * too, far enough away that no half of a secret comes to be shown.
 */
export function excerptsOf(pair: Pair, redact: (text: string) => string): Pair {
  const [before, after] = around(pair, margin, mostCharacters + 2 * margin);
  return around([redact(before), redact(after)], context, mostCharacters);
}

/** Both texts around what differs: so much on either side, and not more than `most` characters. */
function around([before, after]: Pair, side: number, most: number): Pair {
  const start = sharedStart(before, after);
  const end = sharedEnd(before, after, Math.min(before.length, after.length) - start);
  const from = start > side ? start - side : 0;
  const part = (text: string): string => {
    const to = Math.min(text.length, text.length - end + side);
    const head = from > 0 ? ellipsis : "";
    const tail = to < text.length ? ellipsis : "";
    return cutText(`${head}${wellFormed(text.slice(from, to))}${tail}`, most);
  };
  return [part(before), part(after)];
}

function sharedStart(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at + stride <= most && one.slice(at, at + stride) === other.slice(at, at + stride)) at += stride;
  while (at < most && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}

function sharedEnd(one: string, other: string, most: number): number {
  const endOf = (text: string, at: number): string => text.slice(text.length - at - stride, text.length - at);
  let at = 0;
  while (at + stride <= most && endOf(one, at) === endOf(other, at)) at += stride;
  while (at < most && one.at(-1 - at) === other.at(-1 - at)) at += 1;
  return at;
}
