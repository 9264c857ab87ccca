import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { strToU8, zipSync } from "fflate";
import PDFDocument from "pdfkit";
import { inOrder, manuscript, words } from "./manuscript.ts";
import { needs, printed, workspace } from "./workspace.ts";

async function pdfOf(
  draw: (pdf: InstanceType<typeof PDFDocument>) => void,
  options: PDFKit.PDFDocumentOptions = {},
): Promise<Buffer> {
  const pdf = new PDFDocument(options);
  const pieces: Buffer[] = [];
  const ended = new Promise((resolve) =>
    pdf.on("data", (piece: Buffer) => pieces.push(piece)).on("end", resolve),
  );
  draw(pdf);
  pdf.end();
  await ended;
  return Buffer.concat(pieces);
}

describe("document_import", function () {
  this.timeout(30_000);

  it("reads a Word document with its headings, lists, tables and style", async () => {
    const { create, imported } = workspace();
    const name = await create({
      content: manuscript,
      format: "docx",
      filename: "a",
      font_family: "Georgia",
      margin_left: 50,
      line_spacing: 1.5,
    });
    const { content_preview, content_type, style } = await imported(name);
    expect(inOrder(content_preview, words)).to.deep.equal(words);
    for (const line of [
      "# Annual report",
      "## Figures",
      "### Details",
      "| Tea & milk | 3.50 |",
      "2. Add leaves",
      "  x += 1;",
    ])
      expect(content_preview.split("\n")).to.include(line);
    expect(content_type).to.match(/wordprocessingml\.document$/);
    expect(style).to.include({
      font_family: "Georgia",
      font_size: 11,
      heading1_size: 22,
      margin_left: 50,
      page_height: 792,
      line_spacing: 1.5,
    });
  });

  it("reads a PDF page by page, with sizes, fonts and facts", async () => {
    const { put, imported, run } = workspace();
    const draw = (pdf: InstanceType<typeof PDFDocument>): void => {
      pdf.font("Times-Roman", 24).text("Große Überschrift").fontSize(12).text("Body text of the first page.");
      pdf.addPage().text("Second page.");
    };
    put("a.pdf", await pdfOf(draw, { size: [500, 700], info: { Title: "Facts", Author: "Anna" } }));
    const { content_preview, content_type, style } = await imported("a.pdf");
    expect(content_preview).to.equal("Große Überschrift\nBody text of the first page.\n\nSecond page.");
    expect(content_type).to.equal("application/pdf");
    expect(style).to.deep.equal({
      font_family: "Times",
      font_size: 12,
      heading1_size: 24,
      page_width: 500,
      page_height: 700,
    });
    const { data } = await run("get_doc_info", { path: "a.pdf" });
    expect(data).to.include({
      file_name: "a.pdf",
      file_type: "pdf",
      page_count: 2,
      title: "Facts",
      author: "Anna",
    });
  });

  it("reads workbooks: sheets, numbers, dates", async () => {
    const { put, imported } = workspace();
    const { default: writeWorkbook } = await import("write-excel-file/node");
    const day = { value: new Date(Date.UTC(2026, 0, 2)), type: Date, format: "yyyy-mm-dd" };
    const data = [
      ["Item", "When", "Yes"],
      ["Te|a", day, true],
    ];
    put(
      "a.xlsx",
      await writeWorkbook(
        [
          { sheet: "Costs", data },
          { sheet: "More", data: [[1.5]] },
        ],
        { fontFamily: "Georgia" },
      ).toBuffer(),
    );
    const { content_preview, style } = await imported("a.xlsx");
    expect(content_preview).to.equal(
      "## Costs\n\n| Item | When | Yes |\n| --- | --- | --- |\n| Te\\|a | 2026-01-02 | true |\n\n## More\n\n| 1.5 |\n| --- |",
    );
    expect(style).to.include({ font_family: "Georgia" });
  });

  it("reads texts in their encodings", async () => {
    const { put, imported } = workspace();
    put("utf8.txt", "\ufeffnaïve\r\nzwei");
    put("utf16.txt", Buffer.from("\ufeffGrüße", "utf16le"));
    put("latin.txt", Buffer.from("caf\xe9 \x80", "latin1"));
    put("a.csv", "a,b\n1,2\n");
    put("a.json", '{"a": 1}');
    put("a.md", "# Head");
    const texts = await Promise.all(
      ["utf8.txt", "utf16.txt", "latin.txt", "a.csv", "a.json", "a.md"].map(imported),
    );
    expect(texts.map((one) => one.content_preview)).to.deep.equal([
      "naïve\nzwei",
      "Grüße",
      "café €",
      "a,b\n1,2\n",
      '{"a": 1}',
      "# Head",
    ]);
    expect(texts.slice(2).map((one) => one.content_type)).to.deep.equal([
      "text/plain",
      "text/csv",
      "application/json",
      "text/markdown",
    ]);
  });

  it("reads what a reader sees of HTML", async () => {
    const { put, imported } = workspace();
    const body = `<h1>Head&nbsp;&amp; toe</h1><script>evil()</script><p>One<br>two</p><ul><li>a<li>b</ul><table><tr><th>x</th></tr><tr><td>y</td></tr></table>`;
    put(
      "a.html",
      Buffer.from(
        `<html><head><meta charset="iso-8859-1"><title>T\xe9</title></head><body>${body}</body></html>`,
        "latin1",
      ),
    );
    const { content_preview } = await imported("a.html");
    expect(content_preview.replaceAll("\u00a0", " ")).to.equal(
      "# Head & toe\n\nOne\ntwo\n\n- a\n- b\n\n| x |\n| --- |\n| y |",
    );
  });

  it("O12: tells the title of HTML in the encoding that the page declares, and none where there is none", async () => {
    const { put, run } = workspace();
    const head = '<meta charset="windows-1251"><title> \xcf\xf0 </title>';
    put("a.html", Buffer.from(`<html><head>${head}</head><body>x</body></html>`, "latin1"));
    put("b.html", "<html><body><p>x</p></body></html>");
    expect((await run("get_doc_info", { path: "a.html" })).data).to.include({ title: "Пр" });
    expect((await run("get_doc_info", { path: "b.html" })).data).to.not.have.property("title");
  });

  it("reads rich text: code pages, Unicode, skipped groups", async () => {
    const { put, imported } = workspace();
    const fonts = "{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Arial;}}";
    const rtf = `{\\rtf1\\ansi\\ansicpg1252${fonts}{\\*\\generator X;}{\\info{\\title T}}\\f0\\fs24 caf\\'e9 \\u8364?\\u-10179?\\u-8704? \\f1 \\'cf\\'f0\\par{\\pict\\bin3 \\}x}end}`;
    put("a.rtf", Buffer.from(rtf, "latin1"));
    const { content_preview, style } = await imported("a.rtf");
    expect(content_preview).to.equal("café €😀 Пр\n\nend");
    expect(style).to.include({ font_family: "Arial", font_size: 12 });
  });

  it("reads text in an image with tesseract", async function () {
    needs(this, "tesseract", "tesseract-ocr");
    needs(this, "pdftoppm", "poppler-utils");
    const { put, at, imported } = workspace();
    put("a.pdf", await pdfOf((pdf) => pdf.fontSize(40).text("Hello tesseract")));
    printed("pdftoppm", "-png", "-r", "100", "-singlefile", at("a.pdf"), at("scan"));
    const { content_preview, content_type } = await imported("scan.png");
    expect(content_preview).to.equal("Hello tesseract");
    expect(content_type).to.equal("image/png");
  });

  it("T33: says how to install text recognition where it is missing", async () => {
    const { put, failure, context } = workspace();
    put("a.gif", Buffer.from("GIF89a\x0a\0\x0a\0\0\0\0", "latin1"));
    const spawn = (_program: string, args: readonly string[]) => context.spawn("no-such-program", args);
    const error = await failure("document_import", { path: "a.gif" }, { spawn });
    expect(error).to.have.property("code", "unavailable");
    expect(error.hint).to.include("apt-get install tesseract-ocr");
  });

  it("fetches an address, and says when the server has nothing", async () => {
    const server = createServer((request, response) => {
      const found = request.url?.startsWith("/docs/") === true;
      response.writeHead(found ? 200 : 404, { "content-type": "text/html; charset=windows-1251" });
      response.end(found ? Buffer.from("<p>\xcf\xf0</p>", "latin1") : "");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const { imported, failure } = workspace({ configured: { origins: [origin] } });
      const { content_preview, source_url, filename } = await imported(`${origin}/docs/page%201`);
      expect([content_preview, source_url, filename]).to.deep.equal([
        "Пр",
        `${origin}/docs/page%201`,
        "page 1",
      ]);
      expect(await failure("document_import", { path: `${origin}/none` })).to.have.property(
        "code",
        "network_error",
      );
    } finally {
      server.close();
    }
  });

  it("leaves macros out and says so", async () => {
    const { put, run } = workspace();
    const document = `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>Text</w:t></w:r></w:p></w:body></w:document>`;
    const types = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.ms-word.document.macroEnabled.main+xml"/></Types>`;
    const relations = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`;
    const parts = {
      "[Content_Types].xml": types,
      "_rels/.rels": relations,
      "word/document.xml": document,
      "word/vbaProject.bin": "macro",
    };
    put(
      "a.docm",
      zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)]))),
    );
    const { data, message } = await run("document_import", { path: "a.docm" });
    expect(data).to.include({ content_preview: "Text" });
    expect(message).to.include("macros were left out");
  });
});
