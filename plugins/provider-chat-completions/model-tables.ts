import type { ModelInfo } from "@pergola/sdk";

/**
 * Models of the vendors whose listing is not to be relied on, as they documented them in November 2026.
 * Windows and limits in tokens.
 */
const model = (
  id: string,
  contextWindow: number,
  maxOutputTokens: number,
  supportsVision = false,
): ModelInfo => ({
  id,
  contextWindow,
  maxOutputTokens,
  supportsTools: true,
  supportsVision,
  supportsThinking: true,
});

export const minimaxModels: readonly ModelInfo[] = [
  model("MiniMax-M3", 512_000, 131_072, true),
  model("MiniMax-M2.7", 204_800, 131_072),
  model("MiniMax-M2.7-highspeed", 204_800, 131_072),
  model("MiniMax-M2.5", 204_800, 131_072),
  model("MiniMax-M2.5-highspeed", 204_800, 131_072),
  model("MiniMax-M2.1", 204_800, 131_072),
  model("MiniMax-M2", 204_800, 131_072),
];

export const zaiModels: readonly ModelInfo[] = [
  model("glm-5.3", 1_048_576, 131_072),
  model("glm-5.2", 1_000_000, 131_072),
  model("glm-5", 202_752, 131_072),
  model("glm-4.7", 202_752, 131_072),
  model("glm-4.6", 202_752, 131_072),
  model("glm-4.6v", 131_072, 32_768, true),
  model("glm-4.5", 131_072, 98_304),
  model("glm-4.5-air", 131_072, 98_304),
];
