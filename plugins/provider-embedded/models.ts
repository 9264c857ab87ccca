import type { ModelInfo } from "@pergola/sdk";
import { dimensions } from "./embedder/embedder.ts";

export const guideModel: ModelInfo = {
  id: "guide",
  kind: "chat",
  contextWindow: 32_768,
  maxOutputTokens: 4096,
  supportsTools: true,
  supportsVision: false,
  takesReminders: false,
  family: "guide",
  vendor: "pergola",
};

export const minilmModel: ModelInfo = {
  id: "minilm",
  kind: "embedding",
  dimensions,
  contextWindow: 256,
  family: "minilm",
  vendor: "sentence-transformers",
};

/**
 * Stands in for MiniLM when its weights cannot be used; its vectors mean something else, so it has a name of
 * its own.
 */
export const hashingModel: ModelInfo = {
  id: "hashing",
  kind: "embedding",
  dimensions,
  family: "hashing",
  vendor: "pergola",
};
