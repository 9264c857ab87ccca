import { expect } from "chai";
import mammoth from "mammoth";
import { inOrder, manuscript, words } from "./manuscript.ts";
import { operationNamed, workspace } from "./workspace.ts";

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
