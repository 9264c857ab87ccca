import { expect } from "chai";
import readWorkbook from "read-excel-file/node";
import { needs, printed, workspace } from "./workspace.ts";

describe("document_create, workbooks", function () {
  this.timeout(30_000);

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
});
