import { defined, searchWords } from "@pergola/sdk";
import { extensionOf } from "../file-types.ts";
import { isKeyFile } from "../index/left-out.ts";
import type { Facts } from "../service/messages.ts";
import { mostText, type FactsReader, type FactsRequest, type FileFacts, type RawFacts } from "./facts.ts";
import { withOpenFile } from "./open-file.ts";

const nothing: FileFacts = { facts: {}, words: "" };
/** Characters of one attribute. */
const longest = 1000;

const images = async (): Promise<FactsReader> => (await import("./image-facts.ts")).imageFacts;
const media = async (): Promise<FactsReader> => (await import("./media-facts.ts")).mediaFacts;
const pdf = async (): Promise<FactsReader> => (await import("./pdf-facts.ts")).pdfFacts;
const office = async (): Promise<FactsReader> => (await import("./office-facts.ts")).officeFacts;
const text = async (): Promise<FactsReader> => (await import("./text-facts.ts")).textFacts;
const none = async (): Promise<FactsReader> => async () => ({ facts: {} });

const readers: readonly (readonly [load: () => Promise<FactsReader>, extensions: string])[] = [
  [images, "jpg jpeg png gif webp bmp tif tiff heic heif avif svg ico"],
  [media, "mp3 m4a m4b aac flac ogg oga opus wav aif aiff wma ape mka mp4 m4v mov mkv webm"],
  [pdf, "pdf"],
  [office, "docx docm dotx pptx pptm ppsx xlsx xlsm odt ott ods ots odp otp epub"],
  [
    none,
    "zip gz tgz bz2 xz zst 7z rar tar iso dmg exe dll so dylib o a " +
      "class jar wasm pyc sqlite db bin img avi wmv mpg mpeg",
  ],
];
const byExtension = new Map(
  readers.flatMap(([load, ends]) => ends.split(" ").map((end) => [end, load] as const)),
);

/**
 * What can be found out of a file. A file that cannot be read, or is not what its name says, gives nothing.
 * Never rejects.
 */
export async function readFacts({ path, wantsText }: FactsRequest): Promise<FileFacts> {
  try {
    return await withOpenFile(path, async (file) => {
      const extension = extensionOf(file.name);
      if (isKeyFile(file.name, extension) || file.size === 0) return nothing;
      const read = await (byExtension.get(extension) ?? text)();
      const { facts, text: content = "" } = await read(file, wantsText);
      if (!wantsText) return { facts: tidy(facts), words: "" };
      return { facts: tidy(facts), words: searchWords(content.slice(0, mostText)).join(" ") };
    });
  } catch {
    return nothing;
  }
}

function valueOf(value: RawFacts[string]): string | number | undefined {
  if (typeof value === "number" && Number.isFinite(value)) return Math.round(value * 1000) / 1000;
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
  const texts = [value].flat().filter((item) => typeof item === "string");
  const line = texts.join(", ").replace(/[\p{Cc}\s]+/gu, " ");
  return line.trim().slice(0, longest) || undefined;
}

function tidy(facts: RawFacts): Facts {
  const entries = Object.entries(facts).map(([name, value]) => [name, valueOf(value)] as const);
  return defined(Object.fromEntries(entries)) as Facts;
}
