import { createRequire } from "node:module";
import { expect } from "chai";
import mammoth from "mammoth";
import readWorkbook from "read-excel-file/node";
import { inOrder, manuscript, words } from "./manuscript.ts";
import { needs, operationNamed, printed, workspace } from "./workspace.ts";

describe("document_create", function () {
  this.timeout(30_000);

  it("writes a Word document that another reader understands", async () => {
    const { create, bytes, part } = workspace();
    const facts = { title: "Report", author: "Anna", description: "About tea" };
    const name = await create({ content: manuscript, format: "docx", filename: "report", ...facts });
    expect(name).to.equal("report.docx");
    const { value: html } = await mammoth.convertToHtml({ buffer: bytes(name) });
    expect(inOrder((await mammoth.extractRawText({ buffer: bytes(name) })).value, words)).to.deep.equal(
      words,
    );
    expect(html).to.include("<h1>Annual report</h1>");
    expect(html).to.include("<h2>Figures</h2>");
    expect(html).to.include("<h3>Details</h3>");
    expect(html).to.include("<strong>bold words</strong>");
    expect(html).to.include("<em>slanted words</em>");
    expect(html).to.include('<a href="https://example.com/a">link</a>');
    expect(html).to.match(
      /<ol><li>Boil water<\/li><li>Add leaves<ul><li>green ones<\/li><li>black ones<\/li><\/ul><\/li><li>Wait<\/li><\/ol>/,
    );
    expect(html).to.match(/<th><p><strong>Item<\/strong><\/p><\/th>/);
    const core = part(name, "docProps/core.xml");
    for (const text of ["Report", "Anna", "About tea"]) expect(core).to.include(text);
  });

  it("gives a Word document fonts, sizes, colours, page and margins", async () => {
    const { create, part } = workspace();
    const look = {
      font_family: "Georgia",
      font_size: 12,
      heading1_size: 30,
      heading2_size: 20,
      text_color: "#112233",
      heading_color: "navy",
    };
    const page = {
      page_width: 595,
      page_height: 842,
      margin_top: 50,
      margin_right: 40,
      margin_bottom: 30,
      margin_left: 60,
      line_spacing: 1.5,
    };
    const name = await create({
      content: "# A\n\n## B\n\nC",
      format: "docx",
      filename: "a",
      ...look,
      ...page,
    });
    const [styles, text] = [part(name, "word/styles.xml"), part(name, "word/document.xml")];
    expect(text).to.match(/<w:pgSz w:w="11900" w:h="16840"/);
    expect(text).to.match(/w:top="1000" w:right="800" w:bottom="600" w:left="1200"/);
    expect(styles).to.match(
      /<w:docDefaults>.*Georgia.*<w:sz w:val="24"\/>.*w:line="360".*<\/w:docDefaults>/s,
    );
    expect(styles).to.match(/<w:docDefaults>.*<w:color w:val="112233"\/>/s);
    expect(styles).to.match(/w:styleId="Heading1".*?<w:color w:val="000080"\/>.*?<w:sz w:val="60"\/>/s);
    expect(styles).to.match(/w:styleId="Heading2".*?<w:sz w:val="40"\/>/s);
  });

  it("writes a PDF that poppler reads: text in order, pages, fonts, metadata", async function () {
    needs(this, "pdftotext", "poppler-utils");
    const { create, at } = workspace();
    const page = { page_width: 595, page_height: 842, font_family: "Times New Roman" };
    const content = `${manuscript}\n\n${"A long paragraph of many words. ".repeat(400)}`;
    const name = await create({
      content,
      format: "pdf",
      filename: "report",
      title: "Report",
      author: "Anna",
      ...page,
    });
    expect(inOrder(printed("pdftotext", at(name), "-"), words)).to.deep.equal(words);
    const info = printed("pdfinfo", at(name));
    expect(info).to.match(/Title:\s+Report\n/);
    expect(info).to.match(/Author:\s+Anna\n/);
    expect(info).to.match(/Page size:\s+595 x 842 pts/);
    expect(Number(/Pages:\s+(\d+)/.exec(info)?.[1])).to.be.above(2);
    expect(printed("pdffonts", at(name))).to.match(/Times-Roman[\s\S]*Times-Italic|Times-Bold/);
  });

  it("keeps a PDF's text within its margins", async function () {
    needs(this, "pdftotext", "poppler-utils");
    const { create, at } = workspace();
    const margins = { margin_top: 100, margin_right: 150, margin_bottom: 120, margin_left: 90 };
    const name = await create({
      content: `# Head\n\n${"Words that fill many lines. ".repeat(300)}`,
      format: "pdf",
      filename: "a",
      ...margins,
    });
    const boxes = [
      ...printed("pdftotext", "-bbox", at(name), "-").matchAll(
        /<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)"/g,
      ),
    ];
    const edge = (index: number): readonly number[] => boxes.map((box) => Number(box[index]));
    expect(boxes.length).to.be.above(1000);
    expect(Math.min(...edge(1))).to.be.within(89, 91);
    expect(Math.min(...edge(2))).to.be.within(95, 115);
    expect(Math.max(...edge(3))).to.be.at.most(612 - 150 + 1);
    expect(Math.max(...edge(4))).to.be.at.most(792 - 120 + 1);
  });

  it("writes letters beyond Latin-1 into a PDF with an embedded font, and nothing as garbage", async function () {
    needs(this, "pdftotext", "poppler-utils");
    const { run, at } = workspace();
    const content =
      "# Привет, мир\n\nΚαλημέρα **κόσμε** – žluťoučký kůň, ½ ≤ 3 → ok 🚀\n\n| Имя | Цена |\n| --- | --- |\n| чай | 12 ₽ |\n\n`код`";
    const { message = "" } = await run("document_create", { content, format: "pdf", filename: "u.pdf" });
    const text = printed("pdftotext", at("u.pdf"), "-");
    const wanted = [
      "Привет, мир",
      "Καλημέρα",
      "κόσμε",
      "žluťoučký kůň",
      "½ ≤ 3 → ok",
      "Имя",
      "Цена",
      "чай",
      "12 ₽",
      "код",
    ];
    expect(inOrder(text, wanted)).to.deep.equal(wanted);
    expect(message).to.include("🚀");
    const fonts = printed("pdffonts", at("u.pdf"))
      .split("\n")
      .slice(2)
      .filter((line) => line !== "");
    expect(
      fonts.every((line) => /DejaVu.* yes +yes +yes /.test(line)),
      fonts.join("\n"),
    ).to.equal(true);
  });

  it("sets what the built-in fonts lack in a font that the operator named", async function () {
    needs(this, "pdftotext", "poppler-utils");
    const font = createRequire(import.meta.url).resolve("dejavu-fonts-ttf/ttf/DejaVuMathTeXGyre.ttf");
    const { create, at } = workspace({
      settings: { "tools.document.pdf_fonts": [font] },
      configured: { folders: [font] },
    });
    const name = await create({ content: "Script \u{1d4d0} here", format: "pdf", filename: "a" });
    expect(printed("pdftotext", at(name), "-")).to.include("Script \u{1d4d0} here");
    expect(
      await workspace().failure("document_create", { content: "\u{1d4d0}", format: "pdf" }),
    ).to.have.property("code", "invalid_value");
  });

  it("refuses a PDF with letters that no font has, and with text from right to left", async () => {
    const { failure } = workspace();
    const chinese = await failure("document_create", { content: "你好", format: "pdf" });
    expect(chinese.message).to.include("你 好");
    expect(chinese.hint).to.include("tools.document.pdf_fonts");
    const hebrew = await failure("document_create", { content: "שלום עולם", format: "pdf" });
    expect(hebrew.hint).to.include("docx");
  });

  it("writes slides that have the text, titles and size", async () => {
    const { create, part, parts, imported } = workspace();
    const name = await create({
      content: manuscript,
      format: "pptx",
      filename: "talk",
      title: "Talk",
      author: "Anna",
      font_family: "Georgia",
    });
    const slides = parts(name).filter((one) => /^ppt\/slides\/slide\d+\.xml$/.test(one));
    const text = slides
      .map((slide) =>
        part(name, slide)
          .replaceAll(/<\/a:p>/g, " ")
          .replaceAll(/<[^>]+>/g, ""),
      )
      .join(" ");
    const escaped = words.map((word) => word.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"));
    expect(inOrder(text.replaceAll(/\s+/g, " "), escaped)).to.deep.equal(escaped);
    expect(part(name, "ppt/slides/slide1.xml")).to.match(/<p:ph[^>]*type="title"/);
    expect(part(name, "ppt/presentation.xml")).to.match(/<p:sldSz cx="12192000" cy="6858000"/);
    expect(part(name, "docProps/core.xml")).to.include("<dc:creator>Anna</dc:creator>");
    const read = await imported(name);
    expect(read.content_preview).to.include("## Slide 1: Annual report");
    expect(read.style).to.include({ font_family: "Georgia", page_width: 960, page_height: 540 });
  });

  it("goes on on the next slide with what does not fit", async () => {
    const { create, imported } = workspace();
    const content = `# All\n\n${Array.from({ length: 40 }, (_, index) => `- point ${index}.`).join("\n")}`;
    const { content_preview } = await imported(await create({ content, format: "pptx", filename: "many" }));
    expect(content_preview.match(/## Slide \d: All/g)?.length).to.be.above(2);
    const points = Array.from({ length: 40 }, (_, index) => `point ${index}.`);
    expect(inOrder(content_preview, points)).to.deep.equal(points);
  });

  it("writes a workbook with numbers as numbers and codes as text", async () => {
    const { create, bytes } = workspace();
    const content =
      "# Costs\n\n| Item | Price | Code |\n| --- | --- | --- |\n| Tea | 3.50 | 007 |\n| =Tea | -12 | 12345678901234567890 |\n\n# Other/sheet?\n\ntext";
    const sheets = await readWorkbook(bytes(await create({ content, format: "xlsx", filename: "costs" })));
    expect(sheets.map(({ sheet }) => sheet)).to.deep.equal(["Costs", "Other sheet"]);
    expect(sheets[0]?.data).to.deep.equal([
      ["Item", "Price", "Code"],
      ["Tea", 3.5, "007"],
      ["=Tea", -12, "12345678901234567890"],
    ]);
    expect(sheets[1]?.data).to.deep.equal([["text"]]);
  });

  it("T6: writes formulas, dates and percentages as such", async () => {
    const { create, bytes, part } = workspace();
    const rows = [
      "a,b,c",
      "1,2,=A2+$B$2",
      '3,"=ROUND(SUM(A2:A3)/2, 1)","=IF(A2<>3,""yes; no"",-1%)"',
      "12.5%,2026-01-31,2026-01-31 10:30",
    ];
    const name = await create({ content: rows.join("\n"), format: "xlsx", filename: "a" });
    const xml = part(name, "xl/worksheets/sheet1.xml");
    for (const formula of ["A2+$B$2", "ROUND(SUM(A2:A3)/2, 1)", 'IF(A2&lt;&gt;3,"yes; no",-1%)'])
      expect(xml.replaceAll("&quot;", '"').replaceAll(/>(?=3,)/g, "&gt;")).to.include(`<f>${formula}</f>`);
    expect(part(name, "xl/workbook.xml")).to.include('fullCalcOnLoad="1"');
    const moments = [new Date("2026-01-31T00:00:00Z"), new Date("2026-01-31T10:30:00Z")];
    expect((await readWorkbook(bytes(name)))[0]?.data[3]).to.deep.equal([0.125, ...moments]);
  });

  it("T6: takes what reaches out of the sheet, or is none, for a text", async () => {
    const { create, bytes } = workspace();
    const texts = [
      "=cmd|'/c calc'!A0",
      '=HYPERLINK("http://x")',
      '=WEBSERVICE("http://x")',
      "='[other.xlsx]S'!A1",
      "=Other!A1",
      '=INDIRECT("A1")',
      '=_xlfn.IMAGE("http://x")',
      "=SUM(A1:A2",
      "=A1)+(A2",
      "=",
      "==A1 is wrong",
      "+1+1",
      "@SUM(A1)",
      "2026-02-31",
      "0012",
    ];
    const content = ["Text,Number", ...texts.map((text) => `"${text.replaceAll('"', '""')}",1`)].join("\n");
    const [sheet] = await readWorkbook(bytes(await create({ content, format: "xlsx", filename: "a" })));
    expect(sheet?.data.slice(1).map(([text]) => text)).to.deep.equal(texts);
  });

  it("T6, T25: writes workbooks and documents that LibreOffice reads", async function () {
    needs(this, "soffice", "libreoffice-calc-nogui");
    this.timeout(120_000);
    const { create, at, bytes, context } = workspace();
    const name = await create({
      content: 'a,b,c\n1,2,=A2+B2\n3,4,"=SUM(A2:B3)"',
      format: "xlsx",
      filename: "a",
    });
    const profile = `-env:UserInstallation=file://${at("profile")}`;
    const outdir = ["--outdir", context.workingDirectory];
    printed("soffice", profile, "--headless", "--convert-to", "csv", ...outdir, at(name));
    expect(bytes("a.csv").toString()).to.equal("a,b,c\n1,2,3\n3,4,10\n");
  });

  it("T25: gives documents and workbooks the default styles that other programs look for", async () => {
    const { create, part } = workspace();
    const styles = part(await create({ content: "a", format: "docx", filename: "a" }), "word/styles.xml");
    expect(styles).to.match(
      /<w:style w:type="paragraph" w:(default="1" w:styleId|styleId="Normal" w:default)=/,
    );
    expect(styles.match(/w:default="1"/g)).to.have.length(4);
    const book = part(await create({ content: "a,b\n1,2", format: "xlsx", filename: "a" }), "xl/styles.xml");
    expect(book).to.match(/<\/borders><cellStyleXfs count="1"><xf [^>]*\/><\/cellStyleXfs><cellXfs/);
    expect(book).to.match(
      /<\/cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"\/>/,
    );
  });

  for (const [format, content] of [
    ["xlsx", `\`\`\`\n${"\n".repeat(130_000)}\`\`\``],
    ["txt", `| a | b |\n| - | - |\n${"| 1 | 2 |\n".repeat(130_000)}`],
  ] as const)
    it(`R5: writes very many rows as ${format}`, async function () {
      this.timeout(120_000);
      const { run } = workspace();
      const { data } = await run("document_create", { content, format, filename: "a" });
      expect(data).to.include({ content_length: content.length });
    });

  it("takes comma-separated values for a workbook", async () => {
    const { create, bytes, part } = workspace();
    const name = await create({
      content: 'Name,Note\nAnna,"a, ""b"""\n,2',
      format: "xlsx",
      filename: "list",
      font_family: "Georgia",
      font_size: 14,
    });
    expect((await readWorkbook(bytes(name)))[0]?.data).to.deep.equal([
      ["Name", "Note"],
      ["Anna", 'a, "b"'],
      [null, 2],
    ]);
    expect(part(name, "xl/styles.xml")).to.match(/<sz val="14"\/>[\s\S]*Georgia/);
  });

  it("writes text and Markdown", async () => {
    const { create, bytes } = workspace();
    const text = bytes(await create({ content: manuscript, format: "txt", filename: "a" })).toString();
    expect(inOrder(text, words)).to.deep.equal(words);
    expect(text).not.to.match(/[*`|#]/);
    const markdown = bytes(
      await create({ content: "Text.", title: "Title", format: "markdown", filename: "a" }),
    ).toString();
    expect(markdown).to.equal("# Title\n\nText.\n");
  });

  it("writes rich text in plain ASCII, with the page and nothing of the text as commands", async () => {
    const { create, bytes, imported } = workspace();
    const content = `${manuscript}\n\nBraces {\\b no} and Ünïcödé 你好 🚀 \\par`;
    const rtf = bytes(
      await create({
        content,
        format: "rtf",
        filename: "a",
        page_width: 595,
        margin_left: 50,
        font_family: "Georgia;}",
      }),
    ).toString("latin1");
    // eslint-disable-next-line no-control-regex
    expect(rtf).to.match(/^[\x00-\x7f]*$/);
    expect(rtf).to.include("\\paperw11900").and.to.include("\\margl1000");
    const { content_preview, style } = await imported("a.rtf");
    expect(inOrder(content_preview, [...words, "Braces {\\b no} and Ünïcödé 你好 🚀 \\par"])).to.have.length(
      words.length + 1,
    );
    expect(style).to.include({ font_family: "Georgia", page_width: 595, margin_left: 50, font_size: 11 });
  });

  it("takes the style of a template, and lets the call overrule it", async () => {
    const { create, part } = workspace();
    await create({
      content: "# A\n\nB",
      format: "docx",
      filename: "t",
      font_family: "Georgia",
      page_width: 500,
      margin_left: 33,
      heading1_size: 40,
    });
    const name = await create({
      content: "# C\n\nD",
      format: "docx",
      filename: "n",
      template: "t.docx",
      page_width: 550,
    });
    expect(part(name, "word/document.xml"))
      .to.match(/w:w="11000"/)
      .and.to.match(/w:left="660"/);
    expect(part(name, "word/styles.xml"))
      .to.match(/Georgia/)
      .and.to.match(/<w:sz w:val="80"\/>/);
  });

  it("A10: accepts only bare names, and names the file it will write to the policy", async () => {
    const { failure, run, at } = workspace();
    for (const filename of ["../a.txt", "a/b.txt", "..", "a\\b", " ", "a\0b"])
      expect(
        await failure("document_create", { content: "x", format: "txt", filename }),
        filename,
      ).to.have.property("code", "invalid_value");
    const { data } = await run("document_create", {
      content: "# Über uns!\n",
      format: "txt",
      output_path: "sub",
    });
    expect(data).to.deep.equal({
      file_path: at("sub/über-uns.txt"),
      filename: "über-uns.txt",
      format: "txt",
      content_length: 12,
    });
    const touched = operationNamed("document_create").touches?.({
      content: "x",
      format: "pdf",
      output_path: "/out",
      filename: "a",
    } as never);
    expect(touched).to.deep.equal([{ path: "/out/a.pdf", effect: "write" }]);
  });

  it("T15: replaces a file that is named only when told to, never one whose name was made up", async () => {
    const { create, failure, put, bytes } = workspace();
    put("named.txt", "old");
    const named = { content: "new", format: "txt", filename: "named.txt" };
    const refused = await failure("document_create", named);
    expect(refused).to.include({ code: "conflict" });
    expect(refused.hint).to.include("overwrite");
    expect(bytes("named.txt").toString()).to.equal("old");
    await create({ ...named, overwrite: true });
    expect(bytes("named.txt").toString()).to.equal("new\n");
    put("hello.txt", "mine");
    for (const overwrite of [false, true])
      expect(
        await failure("document_create", { content: "hello", format: "txt", overwrite }),
      ).to.have.property("code", "conflict");
    expect(bytes("hello.txt").toString()).to.equal("mine");
  });

  it("says what is wrong with a style", async () => {
    const { failure } = workspace();
    const wrong: readonly Readonly<Record<string, unknown>>[] = [
      { margin_left: 400, margin_right: 200 },
      { font_size: 0 },
      { page_width: 1e9 },
      { line_spacing: 100 },
      { text_color: "}{\\x" },
    ];
    for (const style of wrong)
      expect(
        await failure("document_create", { content: "x", format: "txt", ...style }),
        JSON.stringify(style),
      ).to.have.property("code", "invalid_value");
  });
});
