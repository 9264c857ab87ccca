/** Characters of an output that a failure shows: from its beginning and from its end. */
const [head, tail] = [2000, 6000];

/** Both ends of a long text; a short one as it is. */
export function excerpt(text: string): string {
  if (text.length <= head + tail) return text;
  return (
    `${text.slice(0, head)}\n[… ${text.length - head - tail} characters left out ` +
    `…]\n${text.slice(-tail)}`
  );
}
