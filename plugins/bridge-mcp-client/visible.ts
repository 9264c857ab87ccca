/**
 * Control and format characters as visible signs: what another program says can neither move a cursor nor
 * hide or turn round a part of itself. Line ends and tabs stay, and so do the joiners that scripts and emoji
 * need.
 */
export const visible = (text: string): string =>
  text.replaceAll(/(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (sign) => {
    const code = sign.codePointAt(0) ?? 0;
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : `\\u{${code.toString(16)}}`;
  });

/** The same, on one line and no longer than `limit` characters. */
export function shortened(text: string, limit: number): string {
  const line = visible(text.replaceAll(/\s+/g, " ").trim());
  return line.length <= limit ? line : `${line.slice(0, limit - 1)}…`;
}
