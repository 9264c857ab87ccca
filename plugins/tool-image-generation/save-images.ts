import type { ToolContext } from "@pergola/sdk";
import type { FetchedImage } from "./fetch-image.ts";

const folder = "images";

/** A few words of a prompt as they may stand in any file name: `a-red-fox`. */
export function slugOf(prompt: string): string {
  const plain = prompt.slice(0, 400).normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const words = plain.match(/[a-z0-9]+/g) ?? [];
  const short = words.reduce((text, word) => (`${text}-${word}`.length <= 40 ? `${text}-${word}` : text), "");
  return short.slice(1) || "image";
}

/** The first of `<stem>.png`, `<stem>-2.png`, … that is neither there nor chosen. */
async function freeName(
  { files }: ToolContext,
  stem: string,
  ending: string,
  chosen: ReadonlySet<string>,
): Promise<string> {
  for (let number = 1; ; number += 1) {
    const path = `${folder}/${stem}${number === 1 ? "" : `-${number}`}.${ending}`;
    if (!chosen.has(path) && (await files.stat(path)) === undefined) return path;
  }
}

/** Saves images under new names, all or none, and gives back their paths in the working directory. */
export async function saveImages(
  context: ToolContext,
  images: readonly FetchedImage[],
  prompt: string,
  seed: number,
): Promise<readonly string[]> {
  const stem = `${slugOf(prompt)}-${seed}`;
  const chosen = new Set<string>();
  for (const { ending } of images) chosen.add(await freeName(context, stem, ending, chosen));
  const paths = [...chosen];
  await context.files.writeAll(
    paths.map((path, index) => ({ path, content: images[index]?.bytes ?? new Uint8Array(), create: true })),
  );
  return paths;
}
