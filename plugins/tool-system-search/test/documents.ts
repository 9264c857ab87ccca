import { crc32 } from "node:zlib";

/** A zip archive of stored parts (APPNOTE 4.3). */
export function zip(parts: Readonly<Record<string, string>>): Buffer {
  const [locals, directory]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [name, text] of Object.entries(parts)) {
    const [bytes, title] = [Buffer.from(text), Buffer.from(name)];
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(title.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, title, bytes]);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02"), Buffer.from([20, 0]), common, entry, title]));
    locals.push(local);
    offset += local.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(locals.length, 4);
  end.writeUInt16LE(locals.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, ...directory, Buffer.from("PK\x05\x06"), end]);
}

/** A Word document with one paragraph of several runs. */
export const docx = ({
  title,
  author,
  text,
}: {
  readonly title: string;
  readonly author: string;
  readonly text: readonly string[];
}): Buffer =>
  zip({
    "docProps/core.xml": `<cp:coreProperties><dc:title>${title}</dc:title><dc:creator>${author}</dc:creator></cp:coreProperties>`,
    "docProps/app.xml":
      "<Properties><Pages>3</Pages><Application>Pergola &amp; Co</Application></Properties>",
    "word/document.xml": `<w:document><w:p>${text.map((run) => `<w:r><w:t>${run}</w:t></w:r>`).join("")}</w:p></w:document>`,
  });

/** A PDF with one line on each page. */
export function pdf({
  title,
  author,
  pages,
}: {
  readonly title: string;
  readonly author: string;
  readonly pages: readonly string[];
}): Buffer {
  const stream = (text: string): string => `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${5 + 2 * index} 0 R`).join(" ")}] >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    `<< /Title (${title}) /Author (${author}) /CreationDate (D:20240501123000+02'00') >>`,
    ...pages.flatMap((text, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${6 + 2 * index} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${stream(text).length} >>\nstream\n${stream(text)}\nendstream`,
    ]),
  ];
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join("")}`;
  return Buffer.from(
    `${text}${table}trailer << /Size ${objects.length + 1} /Root 1 0 R /Info 4 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
    "latin1",
  );
}
