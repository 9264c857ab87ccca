import { expect } from "chai";
import { indexes } from "../service/indexes.ts";
import { docx, pdf } from "./documents.ts";
import { flac, jpeg, mp3, mp4, png, wav } from "./media.ts";
import { scene, type Scene } from "./scene.ts";

const samples = {
  "beach.jpg": jpeg({
    width: 4000,
    height: 3000,
    make: "Nikon",
    model: "Z 6II",
    taken: "2024:05:17 10:20:30",
  }),
  "icon.png": png(64, 32),
  "song.mp3": mp3({ TIT2: "Pata Pata", TPE1: "Miriam Makeba", TALB: "Pata", TYER: "1967" }),
  "tone.wav": wav(2),
  "suite.flac": flac(["TITLE=Suite", "ARTIST=Björk Guðmundsdóttir", "ALBUM=Debut"], 90),
  "clip.mp4": mp4(1920, 1080, 12),
  "letter.docx": docx({ title: "Offer", author: "Ada Byron", text: ["hello"] }),
  "paper.pdf": pdf({ title: "On Ferns", author: "B. Fern", pages: ["one", "two"] }),
  "page.html": "<html><title>Start here</title><p>words</p></html>",
  "broken.pdf": "%PDF-1.4 and nothing else",
  "broken.jpg": Buffer.from("\xff\xd8\xff\xe1\x00\x10Exif broken", "latin1"),
  "broken.docx": "PK\x03\x04 no archive",
};

describe("system_search: what headers say", () => {
  let at: Scene;
  before(() => {
    at = scene(samples);
  });
  after(() => indexes.close());

  for (const [attribute, value, names] of [
    ["camera", "nikon", ["beach.jpg"]],
    ["date_taken", "2024-05", ["beach.jpg"]],
    ["date_taken", "2024-05-01..2024-06", ["beach.jpg"]],
    ["date_taken", "> 2025", []],
    ["width", "4000", ["beach.jpg"]],
    ["width", "> 1000", ["beach.jpg", "clip.mp4"]],
    ["kMDItemPixelHeight", "<= 32", ["icon.png"]],
    ["artist", "makeba", ["song.mp3"]],
    ["artist", "bjork", ["suite.flac"]],
    ["Album", "pata", ["song.mp3"]],
    ["year", "1967", ["song.mp3"]],
    ["duration", "60..120", ["suite.flac"]],
    ["duration", "< 3", ["tone.wav"]],
    ["author", "byron", ["letter.docx"]],
    ["author", "fern", ["paper.pdf"]],
    ["pages", "2", ["paper.pdf"]],
    ["created", "2024-05-01", ["paper.pdf"]],
    ["title", "start", ["page.html"]],
    ["extension", "png", ["icon.png"]],
    ["size", "> 10 KB", ["tone.wav"]],
    ["modified", "> 2100", []],
    ["name", "clip", ["clip.mp4"]],
  ] as const) {
    it(`finds ${names.join(" and ") || "nothing"} by ${attribute} ${value}`, async () => {
      expect(await at.names("search_metadata", { attribute, value })).to.have.members(names);
    });
  }

  it("names the attributes there are when nobody has the wanted one", async () => {
    await at.results("search", { query: "song" });
    const { code, hint } = await at.failure("search_metadata", { attribute: "flavour", value: "x" });
    expect(code).to.equal("invalid_value");
    expect(hint).to.match(/name, .*artist.*camera/);
  });

  for (const [file, attributes] of [
    ["beach.jpg", { file_type: "image", width: 4000, height: 3000, camera: "Nikon, Z 6II" }],
    ["icon.png", { width: 64, height: 32, extension: "png" }],
    ["song.mp3", { title: "Pata Pata", artist: "Miriam Makeba", album: "Pata", year: 1967 }],
    ["suite.flac", { artist: "Björk Guðmundsdóttir", duration: 90, sample_rate: 44_100, channels: 2 }],
    ["clip.mp4", { width: 1920, height: 1080, duration: 12 }],
    ["letter.docx", { title: "Offer", author: "Ada Byron", pages: 3, creator: "Pergola & Co" }],
    ["paper.pdf", { title: "On Ferns", author: "B. Fern", pages: 2, created: "2024-05-01T10:30:00.000Z" }],
    ["broken.pdf", { name: "broken.pdf", file_type: "document, pdf", kind: "file" }],
  ] as const) {
    it(`file_info tells of ${file}`, async () => {
      const { data } = await at.run("file_info", { path: at.path(file) });
      expect(data).to.include({ path: at.path(file), size: samples[file].length, ...attributes });
    });
  }

  it("file_info tells of a folder, and of nothing that is not there", async () => {
    expect((await at.run("file_info", { path: at.root })).data).to.include({
      kind: "directory",
      path: at.root,
    });
    expect((await at.failure("file_info", { path: at.path("none.txt") })).code).to.equal("file_not_found");
  });

  it("file_info stops within two seconds when the call is cancelled", async () => {
    const abort = new AbortController();
    const asked = at.run("file_info", { path: at.path("paper.pdf") }, { signal: abort.signal });
    setTimeout(() => abort.abort(new Error("cancelled")), 20);
    const begin = Date.now();
    await asked.catch(() => undefined);
    expect(Date.now() - begin).to.be.below(2000);
  });
});
