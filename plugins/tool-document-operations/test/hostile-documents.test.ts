import { setTimeout } from "node:timers/promises";
import { constants, deflateRawSync } from "node:zlib";
import { expect } from "chai";
import { strToU8, zipSync } from "fflate";
import PDFDocument from "pdfkit";
import { workspace } from "./workspace.ts";

const relations = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`;
const main = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

const zipped = (parts: Readonly<Record<string, string | Uint8Array>>): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(parts).map(([name, part]) => [name, typeof part === "string" ? strToU8(part) : part]),
    ),
  );

const wordFile = (document: string): Uint8Array =>
  zipped({ "_rels/.rels": relations, "word/document.xml": document });
const paragraphs = (xml: string): string =>
  `<w:document xmlns:w="${main}"><w:body>${xml}</w:body></w:document>`;

/** Changes the unpacked size that a package's first directory entry declares. */
function lying(archive: Uint8Array, size: number): Uint8Array {
  const copy = Buffer.from(archive);
  for (let at = copy.indexOf("PK\x01\x02"); at >= 0; at = copy.indexOf("PK\x01\x02", at + 4))
    copy.writeUInt32LE(size, at + 24);
  return copy;
}

/** A PDF of one page whose content stream is given. */
function pdfWith(stream: Uint8Array): Buffer {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R >>",
  ].map((text, index) => Buffer.from(`${index + 1} 0 obj\n${text}\nendobj\n`));
  const content = [
    `4 0 obj\n<< /Length ${stream.length} /Filter /FlateDecode >>\nstream\n`,
    "\nendstream\nendobj\n",
  ].map((text) => Buffer.from(text));
  return Buffer.concat([
    Buffer.from("%PDF-1.4\n"),
    ...objects,
    content[0]!,
    stream,
    content[1]!,
    Buffer.from("trailer << /Root 1 0 R >>\n%%EOF"),
  ]);
}

/** So many mebibytes of spaces, deflated: one block that refers to nothing before it, over and over. */
function bomb(mebibytes: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(1 << 20, 0x20), { finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([
    Buffer.from("789c", "hex"),
    ...Array.from({ length: mebibytes }, () => block),
    Buffer.from("0300", "hex"),
  ]);
}

/** A workbook with one sheet. */
const workbook = (rows: string, part = "xl/worksheets/sheet1.xml", target = "worksheets/sheet1.xml") => {
  const kinds = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const relation = `<Relationship Id="r1" Type="${kinds}/worksheet" Target="${target}"/>`;
  return zipped({
    "_rels/.rels": relations.replace("word/document", "xl/workbook"),
    "xl/workbook.xml": `<workbook xmlns:r="${kinds}"><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships>${relation}</Relationships>`,
    [part]: `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  });
};
const farCell = (reference: string): string => `<row r="1"><c r="${reference}"><v>1</v></c></row>`;

describe("hostile documents", function () {
  this.timeout(60_000);

  const refused: Readonly<Record<string, readonly [why: RegExp, make: () => Uint8Array]>> = {
    "a zip bomb in XML": [/unpacks to too much/, () => lying(wordFile(paragraphs("<w:p/>")), 300 << 20)],
    "a bomb that declares to be small": [
      /could not be processed|damaged/,
      () => lying(wordFile(paragraphs(" ".repeat(8 << 20))), 100),
    ],
    "a package with 10,001 parts": [
      /unpacks to too much/,
      () =>
        zipped(Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`word/p${index}.xml`, ""]))),
    ],
    "an archive that is no document": [/holds no Word/, () => zipped({ "a.txt": "hello" })],
    "a truncated package": [/is damaged/, () => wordFile(paragraphs("<w:p/>")).subarray(0, 150)],
    "XML that is not well formed": [/could not be processed/, () => wordFile(paragraphs("<w:p><w:r>"))],
    "XML with an external entity": [
      /declares entities/,
      () =>
        wordFile(
          `<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>${paragraphs("<w:p><w:r><w:t>&x;</w:t></w:r></w:p>")}`,
        ),
    ],
    "XML nested 40,000 deep": [
      /nested too deeply/,
      () =>
        wordFile(
          paragraphs(`${"<w:sdt><w:sdtContent>".repeat(20_000)}${"</w:sdtContent></w:sdt>".repeat(20_000)}`),
        ),
    ],
    "R10: a sheet whose cells lie far apart": [/sheet is too large/, () => workbook(farCell("XFD1048576"))],
    "R10: a sheet with a reference in single quotes": [
      /sheet is too large/,
      () => workbook(`<row r='1048576'><c r='XFD1048576'><v>1</v></c></row>`),
    ],
    "R10: a sheet with a reference in character references": [
      /sheet is too large/,
      () => workbook(farCell("&#88;FD104857&#54;")),
    ],
    "R10: a sheet that is elsewhere in the package": [
      /sheet is too large/,
      () => workbook(farCell("XFD1048576"), "other/place.xml", "/other/place.xml"),
    ],
    "R10: a sheet with a row behind the last": [
      /workbook is damaged/,
      () => workbook(`<row r="900000000"><c><v>1</v></c></row>`),
    ],
    "R10: a sheet with a column behind the last": [/workbook is damaged/, () => workbook(farCell("zzzzz1"))],
    "an encrypted Office document": [
      /protected by a password/,
      () =>
        Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.from("EncryptedPackage", "utf16le")]),
    ],
    "an old Office document": [
      /before 2007/,
      () => Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(500)]),
    ],
    "a PDF of garbage": [/The PDF/, () => Buffer.from("%PDF-1.7\n\xff\xfe\xfd nothing here", "latin1")],
    "rich text nested 100,000 deep": [
      /nested too deeply/,
      () => Buffer.from(`{\\rtf1 ${"{".repeat(100_000)}x`),
    ],
    "an image of 10 gigapixels": [
      /100000 × 100000 pixels/,
      () =>
        Buffer.concat([
          Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1"),
          Buffer.from("000186a0000186a0", "hex"),
          Buffer.alloc(20),
        ]),
    ],
    "a program": [/holds no text/, () => Buffer.from("\x7fELF\x02\x01\0\0\0", "latin1")],
    nothing: [/holds no text/, () => new Uint8Array()],
  };
  for (const [what, [why, make]] of Object.entries(refused))
    it(`refuses ${what}`, async () => {
      const { put, failure } = workspace();
      put("file", make());
      const error = await failure("document_import", { path: "file" });
      expect(error.code).to.equal("invalid_value");
      expect(error.message).to.match(why);
      expect(error.hint).not.to.equal("");
      expect(error.message + error.hint).not.to.include("root:");
    });

  it("says that a PDF is protected by a password", async () => {
    const { put, failure } = workspace();
    const pdf = new PDFDocument({ userPassword: "secret", pdfVersion: "1.7" });
    const pieces: Buffer[] = [];
    const ended = new Promise((resolve) =>
      pdf.on("data", (piece: Buffer) => pieces.push(piece)).on("end", resolve),
    );
    pdf.text("hidden").end();
    await ended;
    put("a.pdf", Buffer.concat(pieces));
    expect((await failure("document_import", { path: "a.pdf" })).message).to.include(
      "protected by a password",
    );
  });

  it("stops a PDF whose page unpacks to gigabytes, before memory runs out", async () => {
    const { put, failure } = workspace();
    put("a.pdf", pdfWith(bomb(4000)));
    const error = await failure("document_import", { path: "a.pdf" });
    expect(error.message).to.equal("The document needs too much memory.");
  });

  it("opens no file or address that a document names", async () => {
    const { put, run } = workspace();
    const drawing = `<w:p><w:r><w:t>Text</w:t></w:r></w:p><w:p><w:hyperlink xmlns:r="r" r:id="r9"><w:r><w:t>link</w:t></w:r></w:hyperlink></w:p>`;
    const external = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r9" TargetMode="External" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="file:///etc/passwd"/></Relationships>`;
    put(
      "a.docx",
      zipped({
        "_rels/.rels": relations,
        "word/document.xml": paragraphs(drawing),
        "word/_rels/document.xml.rels": external,
      }),
    );
    const { data } = await run("document_import", { path: "a.docx" });
    expect(JSON.stringify(data)).to.include("Text").and.not.to.include("root:");
  });

  it("refuses a file that is larger than the setting allows, before it is read whole", async () => {
    const { put, failure } = workspace({ settings: { "tools.document.max_bytes": 1024 } });
    put("a.txt", "x".repeat(1025));
    expect((await failure("document_import", { path: "a.txt" })).hint).to.include("tools.document.max_bytes");
  });

  it("stops within two seconds of a cancel, and lets the process go on meanwhile", async () => {
    const controller = new AbortController();
    const { put, run } = workspace({ signal: controller.signal });
    put("a.docx", wordFile(paragraphs("<w:p><w:r><w:t>word</w:t></w:r></w:p>".repeat(400_000))));
    let [ticks, longest, last] = [0, 0, performance.now()];
    const timer = setInterval(() => {
      ticks += 1;
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 20);
    const importing = run("document_import", { path: "a.docx" });
    const aborted = setTimeout(2500).then(() => {
      controller.abort(new Error("cancelled by the test"));
      return performance.now();
    });
    const failed = await importing.then(
      () => undefined,
      (error: unknown) => ({ error, after: performance.now() }),
    );
    clearInterval(timer);
    expect((failed?.error as Error).message).to.equal("cancelled by the test");
    expect((failed?.after ?? Infinity) - (await aborted)).to.be.below(2000);
    expect(ticks).to.be.above(20);
    expect(longest).to.be.below(1000);
  });

  it("writes no command of the content into a document", async () => {
    const { create, part, bytes } = workspace();
    const content =
      "# <w:b/> ]]> &amp; {\\object}\n\n[x](javascript:alert(1)) [y](file:///etc/passwd)\n\n<script>alert(1)</script>";
    const text = part(await create({ content, format: "docx", filename: "a" }), "word/document.xml");
    expect(text).not.to.match(/javascript|file:|<script/);
    expect(bytes(await create({ content, format: "rtf", filename: "a" })).toString()).not.to.match(
      /[^\\]\{\\object|javascript|file:/,
    );
  });
});
