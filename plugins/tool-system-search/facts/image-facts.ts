import exifr from "exifr";
import { imageFacts as headerFacts } from "@pergola/kit-file-facts";
import type { FactsReader } from "./facts.ts";

/** Headers stand at the beginning. */
const headBytes = 1 << 19;
/** Attributes, and the tags that hold them. */
const tags = {
  date_taken: "DateTimeOriginal",
  lens: "LensModel",
  description: "ImageDescription",
  artist: "Artist",
  copyright: "Copyright",
  iso: "ISO",
  f_number: "FNumber",
  exposure_time: "ExposureTime",
  latitude: "latitude",
  longitude: "longitude",
};

type Exif = Readonly<Record<string, string | number | Date | undefined>>;

/** Pixels, and what the camera wrote (EXIF): when and with what it was taken, and where. */
export const imageFacts: FactsReader = async (file) => {
  const head = file.head(headBytes);
  const { width, height } = (await headerFacts(head)) ?? {};
  const exif = ((await exifr
    .parse(head, { pick: ["Make", "Model", ...Object.values(tags)], gps: true, reviveValues: true })
    .catch(() => undefined)) ?? {}) as Exif;
  const camera = [exif["Make"], exif["Model"]].filter((part) => typeof part === "string");
  const values = Object.entries(tags).map(([attribute, tag]) => [attribute, exif[tag]] as const);
  return { facts: { width, height, camera, ...Object.fromEntries(values) } };
};
