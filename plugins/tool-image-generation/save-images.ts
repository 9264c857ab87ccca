import type { FileChange, ToolContext } from "@pergola/sdk";
import type { FetchedImage } from "./fetch-image.ts";

const folder = "images";

/** A few words of a prompt as they may stand in any file name: `a-red-fox`. */
export function slugOf(prompt: string): string {
  const plain = prompt.slice(0, 400).normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const words = plain.match(/[a-z0-9]+/g) ?? [];
  let slug = "";
  for (const word of words) {
    const longer = `${slug}-${word}`;
    if (longer.length <= 40) slug = longer;
  }
  return slug.slice(1) || "image";
}

/** The first of `<stem>.png`, `<stem>-2.png`, … that is neither there nor taken by another image. */
async function freeName(
  { files }: ToolContext,
  stem: string,
  ending: string,
  saved: ReadonlyMap<string, FileChange>,
): Promise<string> {
  let name = stem;
  for (let number = 2; ; number += 1) {
    const path = `${folder}/${name}.${ending}`;
    if (!saved.has(path) && (await files.stat(path)) === undefined) return path;
    name = `${stem}-${number}`;
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
  const changes = new Map<string, FileChange>();
  for (const { ending, bytes } of images) {
    const path = await freeName(context, stem, ending, changes);
    changes.set(path, {
      path,
      content: bytes,
      create: true,
    });
  }
  await context.files.writeAll([...changes.values()]);
  return [...changes.keys()];
}
