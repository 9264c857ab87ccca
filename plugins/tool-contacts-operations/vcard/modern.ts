import { isQuotedPrintable, isVersion21, linesOf, type Line } from "./lines.ts";

/** Reads UTF-8 if the charset is unknown. */
function decodeBytes(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function decodeValue({ value, parameters }: Line): string {
  if (!isQuotedPrintable(parameters)) return value;
  const charset = parameters.find((parameter) => /^CHARSET=/i.test(parameter))?.slice(8) ?? "utf-8";
  const text = value
    .replace(/=\r?\n/g, "")
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0) & 255);
  return decodeBytes(bytes, charset).replace(/\r?\n/g, "\\n");
}

function modernLine(line: Line): string {
  if (line.name === "VERSION") return "VERSION:3.0\r\n";
  const prefix = line.group && `${line.group}.`;
  const parameters = line.parameters.map(parameterText).join("");
  return `${prefix}${line.name}${parameters}:${decodeValue(line)}\r\n`;
}

/** `HOME` stands for `TYPE=HOME`. Encodings that were decoded are left out. */
const parameterText = (parameter: string): string => {
  if (/^(ENCODING=)?QUOTED-PRINTABLE$|^CHARSET=/i.test(parameter)) return "";
  if (/^(ENCODING=)?BASE64$/i.test(parameter)) return ";ENCODING=b";
  if (parameter.includes("=")) return `;${parameter}`;
  return `;TYPE=${parameter}`;
};

/** Rewrites a vCard 2.1 as a vCard 3.0 for reading. Other cards are returned unchanged. */
export function modern(card: string): string {
  const lines = linesOf(card);
  if (!isVersion21(lines)) return card;
  return lines.map(modernLine).join("");
}
