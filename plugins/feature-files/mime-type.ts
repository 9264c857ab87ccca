import path from "node:path";

const pictures: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
};
const texts = new Set([".txt", ".md", ".log", ".csv", ".tsv", ".json", ".yaml", ".yml", ".toml", ".ini"]);

const plain = "text/plain";
const bytes = "application/octet-stream";

/** All that a file may have, without their parameters. */
export const mimeTypes = [bytes, plain, ...new Set(Object.values(pictures))] as const;

/** The type of a file by its name, where a browser can do no harm with it; else bytes without a meaning. */
export function mimeTypeOf(name: string): string {
  const extension = path.extname(name).toLowerCase();
  if (texts.has(extension)) return `${plain}; charset=utf-8`;
  return pictures[extension] ?? bytes;
}
