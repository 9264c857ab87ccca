import { fault } from "./fault.ts";

export interface Token {
  readonly kind: "number" | "name" | "sign" | "end";
  readonly text: string;
  /** Where it stands, from 1. */
  readonly at: number;
}

const pattern =
  /\s*(?:(?<number>(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(?![\w.])|(?<name>[a-z]\w*)|(?<sign>%\s*of\b|\*\*|[-+*/%^!(),]))/iy;

const otherSigns: Readonly<Record<string, string>> = {
  "−": "-",
  "–": "-",
  "×": "*",
  "·": "*",
  "÷": "/",
  π: "pi",
};

/**
 * Cuts an expression into numbers, names and signs, in lower case; `% of` is one sign. Throws `invalid_value`
 * at anything else.
 */
export function tokensOf(expression: string): readonly Token[] {
  const text = expression.replace(/[−–×·÷π]/g, (sign) => otherSigns[sign] ?? sign).trimEnd();
  const tokens: Token[] = [];
  pattern.lastIndex = 0;
  while (pattern.lastIndex < text.length) {
    const from = pattern.lastIndex;
    const groups = Object.entries(pattern.exec(text)?.groups ?? {});
    const [kind, found] = groups.find(([, group]) => group !== undefined) ?? [];
    if (found === undefined)
      throw fault(`"${text.slice(from).trim().slice(0, 20)}" is not understood, at character ${from + 1}.`);
    const at = pattern.lastIndex - found.length + 1;
    tokens.push({
      kind: kind as Token["kind"],
      text: found.toLowerCase().replace(/^%.+/s, "% of"),
      at,
    });
  }
  return [
    ...tokens,
    {
      kind: "end",
      text: "",
      at: text.length + 1,
    },
  ];
}
