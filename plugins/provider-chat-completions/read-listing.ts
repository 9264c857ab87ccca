import type { ModelInfo } from "@pergola/sdk";

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** The first of these dotted paths that leads to something. */
function at(entry: Fields, paths: readonly string[]): unknown {
  for (const path of paths) {
    const found = path
      .split(".")
      .reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), entry);
    if (found !== undefined && found !== null) return found;
  }
  return undefined;
}

const whole = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;

/** Where the vendors and runtimes put the datum, the more exact place first. */
const places = {
  contextWindow: [
    "loaded_context_length",
    "top_provider.context_length",
    "context_length",
    "context_window",
    "max_model_len",
    "max_context_length",
    "meta.n_ctx",
    "capabilities.limits.max_context_window_tokens",
  ],
  maxOutputTokens: [
    "top_provider.max_completion_tokens",
    "max_completion_tokens",
    "max_output_tokens",
    "capabilities.limits.max_output_tokens",
  ],
  tools: ["capabilities.function_calling", "capabilities.supports.tool_calls", "supports_tools"],
  vision: ["capabilities.vision", "capabilities.supports.vision", "supports_vision"],
  type: ["type", "capabilities.type"],
  vendor: ["owned_by", "vendor"],
} as const;

function abilityOf(entry: Fields, list: string, word: string, flags: readonly string[]): boolean | undefined {
  const words = at(entry, [list]);
  if (Array.isArray(words)) return words.includes(word);
  const flag = at(entry, flags);
  return typeof flag === "boolean" ? flag : undefined;
}

const isEmbedding = (id: string, type: unknown): boolean =>
  /^embeddings?$/.test(String(type)) || /embed/i.test(id);

function infoOf(value: unknown): ModelInfo | undefined {
  const entry = typeof value === "string" ? { id: value } : value;
  if (!isObject(entry)) return undefined;
  const id = at(entry, ["id", "name", "model"]);
  if (typeof id !== "string" || id === "" || id.length > 300) return undefined;
  const type = at(entry, places.type);
  if (type === "completion" || at(entry, ["policy.state"]) === "disabled") return undefined;
  const [vendor, family] = [at(entry, places.vendor), at(entry, ["capabilities.family"])];
  const found = {
    kind: isEmbedding(id, type) ? ("embedding" as const) : undefined,
    contextWindow: whole(at(entry, places.contextWindow)),
    maxOutputTokens: whole(at(entry, places.maxOutputTokens)),
    supportsTools: abilityOf(entry, "supported_parameters", "tools", places.tools),
    supportsVision: abilityOf(entry, "architecture.input_modalities", "image", places.vision),
    vendor: typeof vendor === "string" && vendor !== "" ? vendor : undefined,
    family: typeof family === "string" && family !== "" ? family : undefined,
    created: whole(entry["created"]),
  };
  return {
    id,
    ...(Object.fromEntries(
      Object.entries(found).filter(([, datum]) => datum !== undefined),
    ) as Partial<ModelInfo>),
  };
}

/**
 * The models of a listing: `{ data: [...] }`, `{ models: [...] }` or a bare list; undefined when it is none
 * of them.
 */
export function readListing(listing: unknown): readonly ModelInfo[] | undefined {
  const entries =
    isObject(listing) && !Array.isArray(listing) ? (listing["data"] ?? listing["models"]) : listing;
  if (!Array.isArray(entries)) return undefined;
  const models = entries.map(infoOf).filter((info) => info !== undefined);
  return [...new Map(models.map((info) => [info.id, info])).values()];
}
