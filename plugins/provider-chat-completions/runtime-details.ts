import { defined, isObject, stringOf, type ModelInfo, type Provider } from "@pergola/sdk";
import { fieldsOf, objectsOf, positiveInteger, type Fields } from "@pergola/kit-provider";
import { readListing } from "./read-listing.ts";

/** Asks the runtime below its own root, not below the chat-completions path; with a body by POST. */
export type AskRuntime = (path: string, body?: object) => Promise<unknown>;

/** What a runtime's own interface knows of its models beyond the common listing. */
export type RuntimeDetails = (models: readonly ModelInfo[], ask: AskRuntime) => Promise<readonly ModelInfo[]>;

/** What a runtime says of its memory; rejects where it cannot be asked. */
export interface RuntimeMemory {
  loaded(ask: AskRuntime): ReturnType<NonNullable<Provider["loaded"]>>;
  unload(ask: AskRuntime, model: string): Promise<void>;
}

/** Models that are asked about one by one, and how many at once. */
const mostModels = 100;
const mostRequests = 8;

const unknown = (): undefined => undefined;

/** The size that each loaded model runs with, by name (`GET /api/ps`). */
function runningSizes(answer: unknown): ReadonlyMap<unknown, number | undefined> {
  const sizes = objectsOf(fieldsOf(answer)["models"]).flatMap(({ name, model, context_length }) => {
    const size = positiveInteger(Number(context_length));
    return [
      [name, size],
      [model, size],
    ] as const;
  });
  return new Map(sizes);
}

/**
 * `POST /api/show`: the size that the model's file sets; what the model could hold is not what the runtime
 * gives it.
 */
function ollamaInfo(answer: Fields, runningSize: number | undefined): Partial<ModelInfo> {
  const { parameters, capabilities } = answer;
  const [, fileSize] = /^num_ctx\s+(\d+)$/m.exec(stringOf(parameters)) ?? [];
  const contextWindow = runningSize ?? positiveInteger(Number(fileSize));
  if (!Array.isArray(capabilities)) return defined({ contextWindow });
  const onlyEmbeds = capabilities.includes("embedding") && !capabilities.includes("completion");
  return defined({
    contextWindow,
    supportsTools: capabilities.includes("tools"),
    supportsVision: capabilities.includes("vision"),
    supportsThinking: capabilities.includes("thinking"),
    kind: onlyEmbeds ? ("embedding" as const) : undefined,
  });
}

/** Ollama: what it has loaded, and each model's own page. What it does not answer stays unknown. */
export const ollamaDetails: RuntimeDetails = async (models, ask) => {
  const sizes = runningSizes(await ask("/api/ps").catch(unknown));
  const detailed = [...models];
  const queue = models.slice(0, mostModels).entries();
  const worker = async (): Promise<void> => {
    for (const [index, info] of queue) {
      const answer = await ask("/api/show", { model: info.id }).catch(unknown);
      if (isObject(answer)) detailed[index] = { ...info, ...ollamaInfo(answer, sizes.get(info.id)) };
    }
  };
  await Promise.all(Array.from({ length: mostRequests }, worker));
  return detailed;
};

/** Ollama: `GET /api/ps`, and a request to answer nothing that keeps the model for no time. */
export const ollamaMemory: RuntimeMemory = {
  async loaded(ask) {
    const { models } = fieldsOf(await ask("/api/ps"));
    return objectsOf(models).map(({ name, context_length, size_vram, expires_at }) =>
      defined({
        id: stringOf(name),
        contextSize: positiveInteger(Number(context_length)),
        gpuBytes: positiveInteger(Number(size_vram)),
        expiresAt: positiveInteger(Date.parse(stringOf(expires_at))),
      }),
    );
  },
  async unload(ask, model) {
    await ask("/api/generate", { model, keep_alive: 0, stream: false });
  },
};

function lmstudioInfo({ capabilities, type }: Fields): Partial<ModelInfo> {
  return defined({
    supportsTools: Array.isArray(capabilities) ? capabilities.includes("tool_use") : undefined,
    supportsVision: type === "vlm" || undefined,
  });
}

/** LM Studio: its own listing knows sizes and abilities (`GET /api/v0/models`). */
export const lmstudioDetails: RuntimeDetails = async (models, ask) => {
  const answer = await ask("/api/v0/models").catch(unknown);
  const entries = new Map(objectsOf(fieldsOf(answer)["data"]).map((entry) => [entry["id"], entry]));
  const known = new Map(readListing(answer)?.map((info) => [info.id, info]));
  return models.map((info) => {
    const entry = entries.get(info.id);
    if (entry === undefined) return info;
    return { ...info, ...known.get(info.id), ...lmstudioInfo(entry) };
  });
};
