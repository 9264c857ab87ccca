/** The line break that a text uses first; `\r\n`, as RFC 5545 and RFC 6350 ask for, if it has none. */
export const lineEndOf = (text: string): string => (/\r?\n/.exec(text) ?? ["\r\n"])[0];
