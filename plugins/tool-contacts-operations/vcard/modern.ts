import { isQuotedPrintable, linesOf, type Line } from "./lines.ts";

function decoded({ value, parameters }: Line): string {
  if (!isQuotedPrintable(parameters)) return value;
  const charset = parameters.find((parameter) => /^CHARSET=/i.test(parameter))?.slice(8) ?? "utf-8";
  const text = value
    .replace(/=\r?\n/g, "")
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0) & 255);
  try {
    return new TextDecoder(charset).decode(bytes).replace(/\r?\n/g, "\\n");
  } catch {
    return new TextDecoder().decode(bytes).replace(/\r?\n/g, "\\n");
  }
}

/** `HOME` stands for `TYPE=HOME`; encodings that are undone are left out. */
const parameterText = (parameter: string): string => {
  if (/^(ENCODING=)?QUOTED-PRINTABLE$|^CHARSET=/i.test(parameter)) return "";
  if (/^(ENCODING=)?BASE64$/i.test(parameter)) return ";ENCODING=b";
  return `;${parameter.includes("=") ? parameter : `TYPE=${parameter}`}`;
};

/**
 * A card of vCard 2.1 as one of 3.0, for reading; later ones, and those that do not say, stay as they are.
 */
export function modern(card: string): string {
  const lines = linesOf(card);
  if (!lines.some(({ name, value }) => name === "VERSION" && value.trim() === "2.1")) return card;
  const fresh = lines.map((line) => {
    if (line.name === "VERSION") return "VERSION:3.0";
    return `${line.group && `${line.group}.`}${line.name}${line.parameters.map(parameterText).join("")}:${decoded(line)}`;
  });
  return fresh.map((line) => `${line}\r\n`).join("");
}
