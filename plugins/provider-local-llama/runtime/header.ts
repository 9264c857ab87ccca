import { stat } from "node:fs/promises";
import { readGgufFileInfo, type GgufFileInfo } from "node-llama-cpp";
import type { ModelFacts } from "../messages.ts";

/** File types of llama.cpp (`llama_ftype`) by number, as people call them. */
const fileTypes: Readonly<Record<number, string>> = {
  0: "F32",
  1: "F16",
  2: "Q4_0",
  3: "Q4_1",
  7: "Q8_0",
  8: "Q5_0",
  9: "Q5_1",
  10: "Q2_K",
  11: "Q3_K_S",
  12: "Q3_K_M",
  13: "Q3_K_L",
  14: "Q4_K_S",
  15: "Q4_K_M",
  16: "Q5_K_S",
  17: "Q5_K_M",
  18: "Q6_K",
  19: "IQ2_XXS",
  20: "IQ2_XS",
  21: "Q2_K_S",
  22: "IQ3_XS",
  23: "IQ3_XXS",
  24: "IQ1_S",
  25: "IQ4_NL",
  26: "IQ3_S",
  27: "IQ3_M",
  28: "IQ2_S",
  29: "IQ2_M",
  30: "IQ4_XS",
  31: "IQ1_M",
  32: "BF16",
  36: "TQ1_0",
  37: "TQ2_0",
  38: "MXFP4",
};

interface Architecture {
  readonly context_length?: number;
  readonly embedding_length?: number;
  readonly pooling_type?: number;
}

const architectureOf = ({ architectureMetadata }: GgufFileInfo): Architecture => architectureMetadata ?? {};

/** Encoders and pooled models give vectors, no answers. */
export const givesVectors = (info: GgufFileInfo): boolean =>
  /bert|t5encoder|embedding/.test(String(info.metadata.general.architecture)) ||
  Number(architectureOf(info).pooling_type ?? 0) > 0;

/** Reads a model file's header. Rejects for a file that is none, is cut off, or tells what cannot be. */
export async function readHeader(path: string): Promise<ModelFacts> {
  const info = await readGgufFileInfo(path, { sourceType: "filesystem", logWarnings: false });
  const { size } = await stat(path);
  if ((info.infoEndOffset ?? 0) > size || Number(info.tensorCount) < 1)
    throw new Error("the file is cut off");
  const { context_length: trainedContext = 0, embedding_length: dimensions = 0 } = architectureOf(info);
  if (!(trainedContext > 0)) throw new Error("it does not tell its context");
  const { architecture, file_type: type } = info.metadata.general as {
    readonly architecture: unknown;
    readonly file_type?: number;
  };
  return {
    kind: givesVectors(info) ? "embedding" : "chat",
    trainedContext,
    family: String(architecture),
    quantization: fileTypes[Number(type)] ?? "unknown",
    dimensions,
    thinks: /enable_thinking|<think>|<\|channel\|>/.test(info.metadata.tokenizer?.chat_template ?? ""),
  };
}
