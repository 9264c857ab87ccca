import { defined, isObject, stringOf, type ModelInfo } from "@pergola/sdk";
import { readCount, listOf, objectsOf, type Fields, type Page } from "@pergola/kit-provider";
import { modelTraits } from "./model-traits.ts";

/**
 * Models that generate, but neither chat nor embed: they make pictures, sound or movements, or want a live
 * connection.
 */
const unlisted = /-(image|tts|audio|live|robotics|computer-use)\b|^(imagen|veo|lyria|aqa)/;

function kindOf(methods: readonly unknown[]): ModelInfo["kind"] {
  if (methods.includes("generateContent")) return "chat";
  if (methods.includes("embedContent") || methods.includes("batchEmbedContents")) return "embedding";
  return undefined;
}

/** What the listing says, else what the name does. */
const thinks = (listed: unknown, byName: boolean | undefined): boolean | undefined =>
  typeof listed === "boolean" ? listed : byName;

function readModel(entry: Fields): readonly ModelInfo[] {
  const id = stringOf(entry["name"]).replace(/^models\//, "");
  const kind = kindOf(listOf(entry["supportedGenerationMethods"]));
  if (id === "" || kind === undefined || unlisted.test(id)) return [];
  const { generation, plain, thinking } = modelTraits(id);
  const isKnown = kind === "chat" && (generation > 0 || plain);
  const info = defined({
    id,
    kind,
    vendor: "Google",
    contextWindow: readCount(entry["inputTokenLimit"]),
    maxOutputTokens: readCount(entry["outputTokenLimit"]),
    ...(isKnown && { supportsTools: !plain }),
    supportsThinking: thinks(entry["thinking"], isKnown ? thinking !== "none" : undefined),
    supportsVision: (kind === "chat" && generation > 0) || undefined,
  });
  return [info];
}

/** One page of `GET /models`, without models that neither chat nor embed; undefined when it is none. */
export function readListing(page: unknown): Page<ModelInfo> | undefined {
  if (!isObject(page)) return undefined;
  const { models = [], nextPageToken } = page;
  if (!Array.isArray(models)) return undefined;
  return { items: objectsOf(models).flatMap(readModel), next: stringOf(nextPageToken) };
}
