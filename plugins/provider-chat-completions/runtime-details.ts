import type { ModelInfo } from "@pergola/sdk";
import { readListing } from "./read-listing.ts";

/** Asks the runtime below its own root, not below the chat-completions path; with a body by POST. */
export type AskRuntime = (path: string, body?: object) => Promise<unknown>;

/** What a runtime's own interface tells of its models beyond the common listing. */
export type RuntimeDetails = (models: readonly ModelInfo[], ask: AskRuntime) => Promise<readonly ModelInfo[]>;

type Fields = Readonly<Record<string, unknown>>;

/** Models that are asked about one by one, and how many at once. */
const mostModels = 100;
const together = 8;

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const whole = (value: unknown): number | undefined =>
  Number.isInteger(Number(value)) && Number(value) > 0 ? Number(value) : undefined;

const unanswered = (): undefined => undefined;

/** The size that a loaded model runs with, by name (`GET /api/ps`). */
function runningSizes(answer: unknown): ReadonlyMap<unknown, number | undefined> {
  const running = isObject(answer) ? listOf(answer["models"]).filter(isObject) : [];
  return new Map(
    running.flatMap((model) =>
      [model["name"], model["model"]].map((name) => [name, whole(model["context_length"])] as const),
    ),
  );
}

/**
 * `POST /api/show`: the size that the model's file sets; what the model could hold is not what the runtime
 * gives it.
 */
function ollamaInfo(answer: Fields, running: number | undefined): Partial<ModelInfo> {
  const parameters = typeof answer["parameters"] === "string" ? answer["parameters"] : "";
  const contextWindow = running ?? whole(/^num_ctx\s+(\d+)$/m.exec(parameters)?.[1]);
  const abilities = Array.isArray(answer["capabilities"]) ? listOf(answer["capabilities"]) : undefined;
  return {
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(abilities === undefined
      ? {}
      : { supportsTools: abilities.includes("tools"), supportsVision: abilities.includes("vision") }),
    ...(abilities?.includes("embedding") === true && !abilities.includes("completion")
      ? { kind: "embedding" as const }
      : {}),
  };
}

/** Ollama: what it has loaded, and each model's own page. What it does not answer stays unknown. */
export const ollamaDetails: RuntimeDetails = async (models, ask) => {
  const sizes = runningSizes(await ask("/api/ps").catch(unanswered));
  const told = [...models];
  const asked = told.slice(0, mostModels).entries();
  const worker = async (): Promise<void> => {
    for (const [at, info] of asked) {
      const answer = await ask("/api/show", { model: info.id }).catch(unanswered);
      if (isObject(answer)) told[at] = { ...info, ...ollamaInfo(answer, sizes.get(info.id)) };
    }
  };
  await Promise.all(Array.from({ length: together }, worker));
  return told;
};

/** LM Studio: its own listing knows sizes and abilities (`GET /api/v0/models`). */
export const lmstudioDetails: RuntimeDetails = async (models, ask) => {
  const answer = await ask("/api/v0/models").catch(unanswered);
  const entries = new Map(
    (isObject(answer) ? listOf(answer["data"]) : []).filter(isObject).map((entry) => [entry["id"], entry]),
  );
  const known = new Map(readListing(answer)?.map((info) => [info.id, info]));
  return models.map((info) => {
    const entry = entries.get(info.id);
    if (entry === undefined) return info;
    const abilities = Array.isArray(entry["capabilities"])
      ? { supportsTools: listOf(entry["capabilities"]).includes("tool_use") }
      : {};
    return {
      ...info,
      ...known.get(info.id),
      ...abilities,
      ...(entry["type"] === "vlm" ? { supportsVision: true } : {}),
    };
  });
};
