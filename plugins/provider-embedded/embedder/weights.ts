import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";

/** The files of all-MiniLM-L6-v2 (fp16) that the vectors of `embedded/minilm` are made with. */
export const minilmHashes: Readonly<Record<string, string>> = {
  "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
  "model.fp16.safetensors": "6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d",
  "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
};

async function sha256(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

/** The names of the files whose SHA-256 is not the expected one. Rejects when one cannot be read. */
export async function wrongFiles(
  files: readonly string[],
  hashes: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const checked = await Promise.all(
    files.map(async (file) => ({ name: path.basename(file), hash: await sha256(file) })),
  );
  return checked.filter(({ name, hash }) => hashes[name] !== hash).map(({ name }) => name);
}
