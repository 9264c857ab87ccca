/**
 * Characters of a control string (a title, a picture) after which it counts as text: an unfinished one must
 * not swallow the rest.
 */
const longest = 4096;

/*
 * Control sequences by ECMA-48: CSI, control strings (OSC, DCS, SOS, PM, APC) up to their end, other escapes;
 * each with its one-byte form.
 */
/* eslint-disable no-control-regex */
const csi = "(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*";
const text = `(?:\\x1b[\\]PX^_]|[\\x90\\x98\\x9d-\\x9f])[^\\x07\\x1b\\x9c\\n]{0,${longest}}`;
const sequences = new RegExp(`${csi}[@-~]|${text}(?:\\x07|\\x1b\\\\|\\x9c)?|\\x1b[ -/]*[0-~]`, "g");
const unfinished = new RegExp(`^(?:${csi}|${text}|\\x1b[ -/]*|\\r+)$`);
const controls = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;
const introducers = /[\x1b\x90\x98\x9b\x9d-\x9f]|\r+$/g;
/* eslint-enable no-control-regex */

/** Control pictures of Unicode, such as ␛. */
function picture(control: string): string {
  const code = control.charCodeAt(0);
  if (code > 0x7f) return "\ufffd";
  return String.fromCharCode(code === 0x7f ? 0x2421 : 0x2400 + code);
}

/** Where a sequence begins that the text does not finish; the text's length when there is none. */
function cutAt(piece: string): number {
  const last = [...piece.slice(-longest).matchAll(introducers)].at(-1);
  if (last === undefined) return piece.length;
  const at = piece.length - Math.min(piece.length, longest) + last.index;
  if (unfinished.test(piece.slice(at))) return at;
  return piece.length;
}

/**
 * What a terminal's output says: control sequences are left out, line ends are \n (a bare carriage return
 * ends a line too), and what else is a control character becomes visible. Nothing that is text is lost,
 * whatever the sequences say of erasing or hiding it.
 */
export class PlainText {
  #rest = "";

  /** The text of the next piece; an unfinished sequence is held back for the piece after it. */
  write(piece: string): string {
    const all = this.#rest + piece;
    const cut = cutAt(all);
    this.#rest = all.slice(cut);
    return plain(all.slice(0, cut));
  }

  /** What was held back. */
  end(): string {
    const text = plain(this.#rest);
    this.#rest = "";
    return text;
  }
}

const plain = (piece: string): string =>
  piece
    .replaceAll(sequences, "")
    .replaceAll(/\r+\n?/g, "\n")
    .replaceAll(controls, picture);

export function plainText(whole: string): string {
  const reader = new PlainText();
  return reader.write(whole) + reader.end();
}
