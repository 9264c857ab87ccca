/** Beside Latin-1, what windows-1252 holds (PDF 32000-1, annex D.2, WinAnsiEncoding). */
const others = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ";
const isOne = new RegExp(`^[\\n\\x20-\\x7e\\xa0-\\xff${others}]*$`);

/** Whether the standard fonts of PDF can show a text. */
export const isWinAnsi = (text: string): boolean => isOne.test(text);
