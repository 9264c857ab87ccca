import type { ModelInfo } from "@pergola/sdk";
import { modelTraits } from "./model-traits.ts";
import { countOf, isObject, listOf, textOf } from "./values.ts";

export interface ListingPage {
  readonly models: readonly ModelInfo[];
  /** Leads to the next page; empty on the last one. */
  readonly nextPageToken: string;
}

/**
 * Models that generate, but neither chat nor embed: they make pictures, sound or movements, or want a live
 * connection.
 */
const unlisted = /-(image|tts|audio|live|robotics|computer-use)\b|^(imagen|veo|lyria|aqa)/;

function kindOf(methods: readonly unknown[]): ModelInfo["kind"] {
  if (methods.includes("generateContent")) return "chat";
  return methods.includes("embedContent") || methods.includes("batchEmbedContents") ? "embedding" : undefined;
}

function infoOf(entry: unknown): ModelInfo | undefined {
  if (!isObject(entry)) return undefined;
  const id = textOf(entry["name"]).replace(/^models\//, "");
  const kind = kindOf(listOf(entry["supportedGenerationMethods"]));
  if (id === "" || kind === undefined || unlisted.test(id)) return undefined;
  const { generation, plain } = modelTraits(id);
  const [contextWindow, maxOutputTokens] = [
    countOf(entry["inputTokenLimit"]),
    countOf(entry["outputTokenLimit"]),
  ];
  return {
    id,
    kind,
    vendor: "Google",
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(kind === "chat" && (generation > 0 || plain) ? { supportsTools: !plain } : {}),
    ...(kind === "chat" && generation > 0 ? { supportsVision: true } : {}),
  };
}

/** One page of `GET /models`; undefined when it is none. */
export function readListing(page: unknown): ListingPage | undefined {
  if (!isObject(page) || !Array.isArray(page["models"] ?? [])) return undefined;
  const models = listOf(page["models"])
    .map(infoOf)
    .filter((info) => info !== undefined);
  return { models, nextPageToken: textOf(page["nextPageToken"]) };
}
