import { expect } from "chai";
import { entryFacts, humanSize, imageFacts, openPdf, pdfDate, pdfFacts, pdfItems } from "../index.ts";

const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Buffer.concat(
    parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))),
  );
const zeros = (count: number): readonly number[] => new Array<number>(count).fill(0);

const riff = (form: string, ...rest: readonly number[]): Uint8Array =>
  bytes("RIFF", zeros(4), `WEBP${form}`, zeros(4), rest);
const pngHead = [0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 40, 0, 0, 0, 30, 8, 6, 0, 0, 0];
const jpegFrame = [0xff, 0xc2, 0, 11, 8, 0, 30, 0, 40, 1, 1, 0x11, 0, 0xff, 0xd9];

describe("imageFacts", () => {
  for (const [format, mediaType, image] of [
    ["PNG", "image/png", bytes([0x89], "PNG\r\n\x1a\n", pngHead)],
    ["GIF", "image/gif", bytes("GIF89a", [40, 0, 30, 0, 0, 0, 0])],
    ["JPEG", "image/jpeg", bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2], jpegFrame)],
    ["BMP", "image/bmp", bytes("BM", zeros(16), [40, 0, 0, 0, 0xe2, 0xff, 0xff, 0xff])],
    ["WebP", "image/webp", riff("VP8 ", 0, 0, 0, 0x9d, 0x01, 0x2a, 40, 0, 30, 0)],
    ["WebP", "image/webp", riff("VP8L", 0x2f, 39, 0x40, 7, 0)],
    ["WebP", "image/webp", riff("VP8X", 0, 0, 0, 0, 39, 0, 0, 29, 0, 0)],
    ["ICO", "image/x-icon", bytes([0, 0, 1, 0, 1, 0, 40, 30], zeros(14))],
    ["SVG", "image/svg+xml", bytes('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"></svg>')],
  ] as const)
    it(`reads ${format} (${image.length} bytes)`, async () => {
      expect(await imageFacts(image)).to.deep.equal({ format, mediaType, width: 40, height: 30 });
    });

  it("T8: reads a JPEG with fill bytes before its markers, and no size in a sound", async () => {
    const filled = bytes([0xff, 0xd8, 0xff, 0xff, 0xff, 0xe0, 0, 4, 1, 2, 0xff], jpegFrame);
    expect(await imageFacts(filled)).to.include({ format: "JPEG", width: 40, height: 30 });
    const sound = bytes("RIFF", [36, 8, 0, 0], "WAVEfmt ", [16, 0, 0, 0, 1, 0, 1, 0], zeros(2048));
    expect(await imageFacts(sound)).to.equal(undefined);
  });

  for (const [name, image] of [
    ["nothing", bytes()],
    ["a text", bytes("hello, this is no image at all")],
    ["an image that is cut off", bytes("GIF89a")],
    ["an image without an area", bytes("GIF89a", [0, 0, 0, 0, 0, 0, 0])],
  ] as const)
    it(`finds nothing in ${name}`, async () => {
      expect(await imageFacts(image)).to.equal(undefined);
    });
});

describe("humanSize", () => {
  for (const [size, text] of [
    [0, "0 B"],
    [1023, "1023 B"],
    [1024, "1 KB"],
    [1536, "1.5 KB"],
    [5 * 1024 ** 3, "5 GB"],
    [3 * 1024 ** 5, "3 PB"],
    [4096 * 1024 ** 5, "4096 PB"],
  ] as const)
    it(`writes ${size} as ${text}`, () => {
      expect(humanSize(size)).to.equal(text);
    });
});

describe("entryFacts", () => {
  it("says what an entry says, times in UTC and rights in octal digits", () => {
    const info = {
      path: "/a/b.txt",
      name: "b.txt",
      kind: "file",
      size: 2048,
      mode: 0o100444,
      created: 0,
      modified: 1000,
      accessed: 2000,
    } as const;
    expect(entryFacts(info)).to.deep.equal({
      file_path: "/a/b.txt",
      file_name: "b.txt",
      file_size: 2048,
      file_size_human: "2 KB",
      created_at: "1970-01-01T00:00:00.000Z",
      modified_at: "1970-01-01T00:00:01.000Z",
      accessed_at: "1970-01-01T00:00:02.000Z",
      permissions: "444",
      is_writable: false,
      is_executable: false,
    });
    expect(entryFacts({ ...info, mode: 0o104755 })).to.include({
      permissions: "4755",
      is_writable: true,
      is_executable: true,
    });
  });
});

/** A PDF of one page, with the offsets that its table needs. */
function pdf(info: string, stream: string): Uint8Array {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${stream.length} >> stream\n${stream}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    `<< ${info} >>`,
  ];
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj ${object} endobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const trailer = `trailer << /Size 7 /Root 1 0 R /Info 6 0 R >>\nstartxref\n${text.length}\n%%EOF`;
  return bytes(`${text}xref\n0 7\n0000000000 65535 f \n${table}${trailer}`);
}

describe("PDF files", () => {
  const info = "/Title (Report) /Author ( ) /Keywords (a b) /CreationDate (D:20240501123000+02'00')";
  const file = pdf(info, "BT /F1 12 Tf 10 50 Td (Hello) Tj 0 -20 Td (World) Tj ET");

  it("say what they say of themselves", async () => {
    const opened = await openPdf(file);
    expect(await pdfFacts(opened)).to.deep.equal({
      title: "Report",
      keywords: "a b",
      created: new Date("2024-05-01T10:30:00Z"),
      pages: 1,
    });
    await opened.destroy();
  });

  it("give their text with the sizes of its letters", async () => {
    const opened = await openPdf(file);
    const items = await pdfItems(await opened.getPage(1));
    await opened.destroy();
    expect(items.map(({ text }) => text).join("")).to.equal("Hello\nWorld");
    expect(items.find(({ text }) => text.includes("World"))?.fontSize).to.equal(12);
  });

  it("are refused when they are damaged", async () => {
    const error = await openPdf(bytes("no PDF")).catch((reason: unknown) => reason);
    expect(error).to.have.property("name", "InvalidPDFException");
  });
});

describe("pdfDate", () => {
  for (const [text, expected] of [
    ["D:20240501123000+02'00'", "2024-05-01T10:30:00.000Z"],
    ["D:20240501123000-0230", "2024-05-01T15:00:00.000Z"],
    ["D:20240501123000Z", "2024-05-01T12:30:00.000Z"],
    ["20240501", "2024-05-01T00:00:00.000Z"],
    ["D:2024", "2024-01-01T00:00:00.000Z"],
    ["D:20249901", undefined],
    ["yesterday", undefined],
    [undefined, undefined],
  ] as const)
    it(`reads ${text} as ${expected}`, () => {
      expect(pdfDate(text)?.toISOString()).to.equal(expected);
    });
});
