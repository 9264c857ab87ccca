import { convertToXmlComponent, type Document, type XmlComponent } from "docx";

/** The style of each kind of thing that names none, as Word calls it (ECMA-376, 17.7.4.17). */
const defaultStyles = [
  ["paragraph", "Normal", "Normal"],
  ["character", "DefaultParagraphFont", "Default Paragraph Font"],
  ["table", "TableNormal", "Normal Table"],
  ["numbering", "NoList", "No List"],
] as const;

/** Adds the default styles, which the library's own styles are based on and other programs look for. */
export function addDefaultStyles(document: Document): Document {
  for (const [type, id, name] of defaultStyles)
    document.Styles.addChildElement(
      convertToXmlComponent({
        type: "element",
        name: "w:style",
        attributes: { "w:type": type, "w:default": "1", "w:styleId": id },
        elements: [{ type: "element", name: "w:name", attributes: { "w:val": name } }],
      }) as XmlComponent,
    );
  return document;
}
