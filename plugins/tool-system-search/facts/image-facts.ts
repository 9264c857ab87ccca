import exifr from "exifr";
import { imageFacts as headerFacts } from "@pergola/kit-file-facts";
import type { FactsReader } from "./facts.ts";

/** Headers stand at the beginning. */
const headBytes = 1 << 19;
const wanted = [
  "DateTimeOriginal",
  "Make",
  "Model",
  "LensModel",
  "ImageDescription",
  "Artist",
  "Copyright",
  "ISO",
  "FNumber",
  "ExposureTime",
];

type Exif = Readonly<Record<string, string | number | Date | undefined>>;

/** Pixels, and what the camera wrote (EXIF): when and with what it was taken, and where. */
export const imageFacts: FactsReader = async (file) => {
  const head = file.head(headBytes);
  const { width, height } = (await headerFacts(head)) ?? {};
  const exif = ((await exifr
    .parse(head, { pick: [...wanted, "latitude", "longitude"], gps: true, reviveValues: true })
    .catch(() => undefined)) ?? {}) as Exif;
  return {
    facts: {
      width,
      height,
      date_taken: exif["DateTimeOriginal"],
      camera: [exif["Make"], exif["Model"]].filter((part) => typeof part === "string"),
      lens: exif["LensModel"],
      description: exif["ImageDescription"],
      artist: exif["Artist"],
      copyright: exif["Copyright"],
      iso: exif["ISO"],
      f_number: exif["FNumber"],
      exposure_time: exif["ExposureTime"],
      latitude: exif["latitude"],
      longitude: exif["longitude"],
    },
  };
};
