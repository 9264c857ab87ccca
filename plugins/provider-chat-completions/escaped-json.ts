/**
 * The same JSON without characters beyond ASCII, one of which makes every character of a whole body take two
 * bytes; as it is where escapes would make it much longer.
 */
export function escapedJson(json: string): string {
  const escaped = json.replaceAll(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return escaped.length > json.length * 1.25 ? json : escaped;
}
