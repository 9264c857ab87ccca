import { defined, isObject, stringOf, type ModelInfo } from "@pergola/sdk";
import { positiveInteger, uniqueById, valueAt, type Fields } from "@pergola/kit-provider";

/** Where the vendors and runtimes put each fact, the more exact place first. */
const places = {
  id: ["id", "name", "model"],
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
  thinking: ["capabilities.reasoning", "capabilities.supports.thinking", "supports_reasoning"],
  type: ["type", "capabilities.type"],
  vendor: ["owned_by", "vendor"],
  family: ["capabilities.family"],
} as const;

/** The value of the first place that holds one. */
function factOf(entry: Fields, fact: keyof typeof places): unknown {
  const values = places[fact].map((path) => valueAt(entry, path));
  return values.find((value) => value !== undefined && value !== null);
}

/** Whether the list names the ability; without the list, what the flag says. */
function abilityOf(list: unknown, name: string, flag: unknown): boolean | undefined {
  if (Array.isArray(list)) return list.includes(name);
  if (typeof flag === "boolean") return flag;
  return undefined;
}

const isEmbedding = (id: string, type: unknown): boolean =>
  /^embeddings?$/.test(String(type)) || /embed/i.test(id);

const isUsable = (id: string, type: unknown, entry: Fields): boolean =>
  id !== "" && id.length <= 300 && type !== "completion" && valueAt(entry, "policy.state") !== "disabled";

function readModel(value: unknown): readonly ModelInfo[] {
  const entry = typeof value === "string" ? { id: value } : value;
  if (!isObject(entry)) return [];
  const id = stringOf(factOf(entry, "id"));
  const type = factOf(entry, "type");
  if (!isUsable(id, type, entry)) return [];
  const { supported_parameters: parameters, created } = entry;
  const modalities = valueAt(entry, "architecture.input_modalities");
  const info = defined({
    id,
    kind: isEmbedding(id, type) ? ("embedding" as const) : undefined,
    contextWindow: positiveInteger(factOf(entry, "contextWindow")),
    maxOutputTokens: positiveInteger(factOf(entry, "maxOutputTokens")),
    supportsTools: abilityOf(parameters, "tools", factOf(entry, "tools")),
    supportsThinking: abilityOf(parameters, "reasoning", factOf(entry, "thinking")),
    supportsVision: abilityOf(modalities, "image", factOf(entry, "vision")),
    vendor: stringOf(factOf(entry, "vendor")) || undefined,
    family: stringOf(factOf(entry, "family")) || undefined,
    created: positiveInteger(created),
  });
  return [info];
}

/**
 * The models of a listing: `{ data: [...] }`, `{ models: [...] }` or a bare list; undefined when it is none
 * of them.
 */
export function readListing(listing: unknown): readonly ModelInfo[] | undefined {
  const entries = isObject(listing) ? (listing["data"] ?? listing["models"]) : listing;
  if (!Array.isArray(entries)) return undefined;
  return uniqueById(entries.flatMap(readModel));
}
