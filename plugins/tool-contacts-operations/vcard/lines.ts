/** A content line: `group.NAME;PARAMETERS:value`. */
export interface Line {
  /** As it stands in the text, with its folds. */
  readonly raw: string;
  readonly group: string;
  /** In capitals. */
  readonly name: string;
  /** Each as written, such as `TYPE=home`, or `HOME` in vCard 2.1. */
  readonly parameters: readonly string[];
  /** Unfolded, still escaped. */
  readonly value: string;
}

const form = /^(?:([\w-]+)\.)?([\w-]+)((?:;(?:[^":;]|"[^"]*")*)*):([\s\S]*)$/;

export const isQuotedPrintable = (parameters: readonly string[]): boolean =>
  parameters.some((parameter) => /^(ENCODING=)?QUOTED-PRINTABLE$/i.test(parameter));

const parametersIn = (text: string): readonly string[] =>
  [...text.matchAll(/;((?:[^";]|"[^"]*")*)/g)].map(([, parameter = ""]) => parameter);

/** In a quoted-printable value, a space after a line that ends with `=` is not a fold. */
function parse(raw: string): Line {
  const [, , , head = ""] = form.exec(raw) ?? [];
  const fold = isQuotedPrintable(parametersIn(head)) ? /(?<!=\r?)\r?\n[ \t]/g : /\r?\n[ \t]/g;
  const unfolded = raw.replace(fold, "");
  const [, group = "", name = "", parameters = "", value = ""] = form.exec(unfolded) ?? [];
  return {
    raw,
    group,
    name: name.toUpperCase(),
    parameters: parametersIn(parameters),
    value,
  };
}

/**
 * The content lines of a card. A folded line continues with a space, a quoted-printable one (vCard 2.1) after
 * a `=` at its end.
 */
export function linesOf(card: string): readonly Line[] {
  const lines: Line[] = [];
  for (const piece of card.split(/\r?\n(?![ \t])/)) {
    const last = lines.at(-1);
    if (last?.value.endsWith("=") && isQuotedPrintable(last.parameters))
      lines[lines.length - 1] = parse(`${last.raw}\r\n${piece}`);
    else if (piece !== "") lines.push(parse(piece));
  }
  return lines;
}

export const isVersion21 = (lines: readonly Line[]): boolean =>
  lines.some(({ name, value }) => name === "VERSION" && value.trim() === "2.1");
