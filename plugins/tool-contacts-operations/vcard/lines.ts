/** A content line: `group.NAME;PARAMETERS:value`, as it stands in the text, folds included. */
export interface Line {
  readonly raw: string;
  readonly group: string;
  /** In capitals. */
  readonly name: string;
  /** Each as it is written, such as `TYPE=home`, or `HOME` in vCard 2.1. */
  readonly parameters: readonly string[];
  /** Unfolded, still escaped. */
  readonly value: string;
}

const form = /^(?:([\w-]+)\.)?([\w-]+)((?:;(?:[^":;]|"[^"]*")*)*):([\s\S]*)$/;

export const isQuotedPrintable = (parameters: readonly string[]): boolean =>
  parameters.some((parameter) => /^(ENCODING=)?QUOTED-PRINTABLE$/i.test(parameter));

const parametersIn = (text: string): readonly string[] =>
  [...text.matchAll(/;((?:[^";]|"[^"]*")*)/g)].map(([, parameter = ""]) => parameter);

/** In a quoted-printable text the blank after a `=` at a line's end is no fold. */
function parse(raw: string): Line {
  const [, , , head = ""] = form.exec(raw) ?? [];
  const unfolded = raw.replace(
    isQuotedPrintable(parametersIn(head)) ? /(?<!=\r?)\r?\n[ \t]/g : /\r?\n[ \t]/g,
    "",
  );
  const [, group = "", name = "", parameters = "", value = ""] = form.exec(unfolded) ?? [];
  return { raw, group, name: name.toUpperCase(), parameters: parametersIn(parameters), value };
}

/**
 * The content lines of a card. Folded lines go on after a blank, quoted-printable ones (vCard 2.1) after a
 * `=` at the end.
 */
export function linesOf(card: string): readonly Line[] {
  const lines: Line[] = [];
  for (const piece of card.split(/\r?\n(?![ \t])/)) {
    const last = lines.at(-1);
    const goesOn = last !== undefined && last.value.endsWith("=") && isQuotedPrintable(last.parameters);
    if (goesOn) lines[lines.length - 1] = parse(`${last.raw}\r\n${piece}`);
    else if (piece !== "") lines.push(parse(piece));
  }
  return lines;
}
