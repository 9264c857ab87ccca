import { chmodSync, symlinkSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { expect } from "chai";
import { workspace } from "./context.ts";

const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Buffer.concat(
    parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))),
  );

const images: Readonly<Record<string, Uint8Array>> = {
  "a.png": bytes([0x89], "PNG\r\n\x1a\n", [0, 0, 0, 13], "IHDR", [0, 0, 0, 40, 0, 0, 0, 30, 8, 6, 0, 0, 0]),
  "a.gif": bytes("GIF89a", [40, 0, 30, 0, 0, 0, 0]),
  "a.jpg": bytes([
    0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc2, 0, 11, 8, 0, 30, 0, 40, 1, 1, 0x11, 0, 0xff, 0xd9,
  ]),
  "a.bmp": bytes("BM", new Array<number>(16).fill(0), [40, 0, 0, 0, 0xe2, 0xff, 0xff, 0xff]),
  "lossy.webp": bytes(
    "RIFF",
    [0, 0, 0, 0],
    "WEBPVP8 ",
    [0, 0, 0, 0],
    [0, 0, 0, 0x9d, 0x01, 0x2a],
    [40, 0, 30, 0],
  ),
  "lossless.webp": bytes("RIFF", [0, 0, 0, 0], "WEBPVP8L", [0, 0, 0, 0, 0x2f], [39, 0x40, 7, 0]),
  "extended.webp": bytes("RIFF", [0, 0, 0, 0], "WEBPVP8X", [0, 0, 0, 0, 0, 0, 0, 0], [39, 0, 0, 29, 0, 0]),
  "a.ico": bytes([0, 0, 1, 0, 1, 0, 40, 30], new Array<number>(14).fill(0)),
};

const trees = [
  "<< /Type /Catalog /Pages 2 0 R >>",
  "<< /Type /Pages /Kids [3 0 R 4 0 R 5 0 R] /Count 3 >>",
  ...Array.from({ length: 3 }, () => "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>"),
];

/** A PDF of three pages with a table of its objects. */
function plainPdf(): string {
  let text = "%PDF-1.4\n";
  const offsets = trees.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj ${object} endobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 6\n0000000000 65535 f \n${offsets.join("")}`;
  return `${text}${table}trailer << /Size 6 /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF`;
}

/** The same, its objects packed into one stream (ISO 32000-1, 7.5.7 and 7.5.8). */
function compressedPdf(): Uint8Array {
  const starts = trees.map((_, index) => trees.slice(0, index).join(" ").length + Number(index > 0));
  const heads = starts.map((start, index) => `${index + 1} ${start}`).join(" ");
  const packed = deflateSync(`${heads} ${trees.join(" ")}`);
  const begin = bytes(
    `%PDF-1.7\n6 0 obj << /Type /ObjStm /N 5 /First ${heads.length + 1} /Filter /FlateDecode `,
    `/Length ${packed.length} >> stream\n`,
    [...packed],
    "\nendstream endobj\n",
  );
  const rows = [[0, 0, 0, 0], ...starts.map((_, index) => [2, 0, 6, index]), [1, 0, 9, 0]];
  rows.push([1, begin.length >> 8, begin.length & 255, 0]);
  return bytes(
    [...begin],
    "7 0 obj << /Type /XRef /W [1 2 1] /Size 8 /Root 1 0 R /Length 32 >> stream\n",
    rows.flat(),
    `\nendstream endobj\nstartxref\n${begin.length}\n%%EOF`,
  );
}

describe("get_file_info", () => {
  it("tells size, times, permissions and kind of a text", async () => {
    const { data, path } = workspace({ "src/run.sh": "#!/bin/sh\r\necho café\r\n" });
    chmodSync(path("src/run.sh"), 0o755);
    const info = await data<Record<string, unknown>>("get_file_info", { filePath: "src/run.sh" });
    expect(info).to.include({
      file_path: path("src/run.sh"),
      file_name: "run.sh",
      file_size: 23,
      file_size_human: "23 B",
      permissions: "755",
      is_readable: true,
      is_writable: true,
      is_executable: true,
      file_type: "text",
      type_description: "Shell script",
      encoding: "utf-8",
      line_count: 2,
      character_count: 22,
      line_endings: "CRLF",
    });
    for (const time of ["created_at", "modified_at", "accessed_at"])
      expect(info[time]).to.match(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  for (const [text, facts] of [
    ["", { line_count: 0, character_count: 0, line_endings: "none" }],
    ["a", { line_count: 1, character_count: 1, line_endings: "none" }],
    ["a\nb", { line_count: 2, line_endings: "LF" }],
    ["a\r\nb\n", { line_count: 2, line_endings: "mixed" }],
    ["🙂\n", { line_count: 1, character_count: 2 }],
  ] as const) {
    it(`counts ${JSON.stringify(text)}`, async () => {
      expect(await workspace({ "a.txt": text }).data("get_file_info", { filePath: "a.txt" })).to.include(
        facts,
      );
    });
  }

  it("does not claim an encoding it cannot read", async () => {
    const { data } = workspace({ "a.txt": new Uint8Array([0x63, 0xe9]) });
    expect(await data("get_file_info", { filePath: "a.txt" })).to.include({ encoding: "unknown" });
  });

  for (const [name, content] of Object.entries(images)) {
    it(`reads the size of ${name}`, async () => {
      const info = await workspace({ [name]: content }).data("get_file_info", { filePath: name });
      expect(info).to.include({ file_type: "image", image_width: 40, image_height: 30 });
    });

    it(`survives ${name} cut anywhere`, async () => {
      const { put, data } = workspace();
      for (let length = 0; length < content.length; length += 1) {
        put(name, content.subarray(0, length));
        expect(await data("get_file_info", { filePath: name })).to.include({ file_size: length });
      }
    });
  }

  it("counts the pages of a PDF", async () => {
    const info = await workspace({ "a.pdf": plainPdf() }).data("get_file_info", { filePath: "a.pdf" });
    expect(info).to.include({ file_type: "pdf", page_count: 3, pdf_version: "1.4", is_encrypted: false });
  });

  it("counts the pages of a PDF with object streams", async () => {
    const info = await workspace({ "a.pdf": compressedPdf() }).data("get_file_info", { filePath: "a.pdf" });
    expect(info).to.include({ page_count: 3, pdf_version: "1.7" });
  });

  it("leaves the pages of a PDF open that it cannot read", async () => {
    const info = await workspace({ "a.pdf": "%PDF-1.7 broken /ObjStm stream\nxx endstream" }).data(
      "get_file_info",
      { filePath: "a.pdf" },
    );
    expect(info).to.include({ page_count: null });
  });

  it("is not held up by a PDF of many page nodes", async () => {
    const started = performance.now();
    await workspace({ "a.pdf": "%PDF-1.4 " + "/Type /Pages ".repeat(400_000) }).data("get_file_info", {
      filePath: "a.pdf",
    });
    expect(performance.now() - started).to.be.below(2000);
  });

  it("describes folders and links", async () => {
    const { data, path } = workspace({ "a/b": "" });
    symlinkSync("a", path("link"));
    expect(await data("get_file_info", { filePath: "a" })).to.include({
      file_type: "directory",
      is_readable: true,
    });
    expect(await data("get_file_info", { filePath: "link" })).to.include({ file_type: "link" });
  });

  it("trusts the content more than the name when a text is none", async () => {
    const info = await workspace({ "a.txt": new Uint8Array([0, 1]) }).data("get_file_info", {
      filePath: "a.txt",
    });
    expect(info).to.include({ file_type: "binary" });
  });

  it("fails with file_not_found", async () => {
    expect((await workspace().failure("get_file_info", { filePath: "a" })).code).to.equal("file_not_found");
  });
});
