import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { mkdir, open, rm } from "node:fs/promises";
import path from "node:path";
import type { StagedContent } from "@pergola/sdk/host";

const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW = 0 } = constants;

/**
 * Gathers a file in a folder of the service's own, where nobody sees it, and lends it to `use`; nothing of it
 * is there afterwards, however that ends. `count` is told the bytes of each piece, and may throw.
 */
export async function stageUpload<T>(
  folder: string,
  pieces: AsyncIterable<Uint8Array>,
  count: (bytes: number) => void,
  use: (staged: StagedContent) => Promise<T>,
): Promise<T> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, randomUUID());
  try {
    const handle = await open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    const hash = createHash("sha256");
    let size = 0;
    try {
      for await (const piece of pieces) {
        count(piece.length);
        hash.update(piece);
        size += piece.length;
        await handle.writeFile(piece);
      }
    } finally {
      await handle.close();
    }
    return await use({ file, size, sha256: hash.digest("hex") });
  } finally {
    await rm(file, { force: true });
  }
}
