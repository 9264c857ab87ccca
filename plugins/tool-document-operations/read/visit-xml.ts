import { SaxesParser } from "saxes";

export type Attributes = Readonly<Record<string, string>>;

export interface XmlVisitor {
  open?(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

const local = (name: string): string => name.slice(name.indexOf(":") + 1);

const localKeys = (attributes: Readonly<Record<string, string>>): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name === "r:id" ? name : local(name), value]),
  );

/**
 * Walks through XML; names come without their prefix, but for the attribute `r:id`. Throws Error for what is
 * not well formed.
 */
export function visitXml(xml: string, visitor: XmlVisitor): void {
  if (xml === "") return;
  const parser = new SaxesParser({ xmlns: false });
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => visitor.open?.(local(name), localKeys(attributes)));
  parser.on("text", (text) => visitor.text?.(text));
  parser.on("closetag", ({ name }) => visitor.close?.(local(name)));
  parser.write(xml).close();
}
