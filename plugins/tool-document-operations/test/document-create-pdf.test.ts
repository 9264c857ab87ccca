import { createRequire } from "node:module";
import { expect } from "chai";
import { inOrder, manuscript, words } from "./manuscript.ts";
import { needs, printed, workspace } from "./workspace.ts";

describe("document_create, PDF", function () {
  this.timeout(30_000);

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
});
