import { setTimeout as sleep } from "node:timers/promises";
import {
  GgufInsights,
  getLlama,
  LlamaLogLevel,
  readGgufFileInfo,
  type Llama,
  type LlamaContext,
  type LlamaModel,
} from "node-llama-cpp";
import { AppError, messageOf } from "@pergola/sdk";
import type { LoadOptions } from "../messages.ts";
import { givesVectors } from "./header.ts";
import { availableMemory, checkMemory } from "./memory.ts";

export interface LoadedModel {
  readonly llama: Llama;
  readonly model: LlamaModel;
  readonly options: LoadOptions;
  /** Tokens of each slot's context. */
  readonly contextSize: number;
  /** What answers are written in; a model that only makes vectors has none. */
  readonly context: LlamaContext | undefined;
  /** Bytes of the weights in the memory of a graphics card, estimated by its layers. */
  readonly gpuBytes: number;
}

/** The library's own words about the first failure. */
let complaint = "";

/**
 * The library for this machine's graphics card where one works and its package is there, else for the
 * processor. Nothing is built or fetched.
 */
async function openLlama(threads: number, gpuLayers: number): Promise<Llama> {
  const logger = (_level: string, message: string): void =>
    void (complaint ||= message.trim().split("\n")[0] ?? "");
  const fixed = {
    build: "never",
    skipDownload: true,
    progressLogs: false,
    logLevel: LlamaLogLevel.error,
    logger,
  } as const;
  try {
    const llama = await getLlama({
      ...fixed,
      ...(gpuLayers === 0 ? { gpu: false, maxThreads: threads } : { gpu: "auto" }),
    });
    if (llama.gpu === false) llama.maxThreads = threads;
    return llama;
  } catch (error) {
    throw await failure("The library that runs models cannot be used on this machine", error);
  }
}

/** Loads a model file, after asking whether it fits into memory. */
export async function loadModel(options: LoadOptions, threads: number): Promise<LoadedModel> {
  const llama = await openLlama(threads, options.gpuLayers);
  const info = await readGgufFileInfo(options.path, { sourceType: "filesystem", logWarnings: false });
  const insights = await GgufInsights.from(info, llama);
  const { batchSize, parallelSlots: sequences } = options;
  const contextSize = Math.min(options.contextSize, insights.trainContextSize ?? options.contextSize);
  // A graphics card's memory is the library's to judge: it takes as many layers as fit.
  if (llama.gpu === false || options.availableBytes !== undefined) {
    const context = (tokens: number): number =>
      insights.estimateContextResourceRequirements({
        contextSize: tokens,
        modelGpuLayers: 0,
        batchSize,
        sequences,
      }).cpuRam;
    checkMemory(
      { weights: options.sizeBytes, context },
      contextSize,
      options.availableBytes ?? availableMemory(),
    );
  }
  const gpuLayers = options.gpuLayers < 0 ? ({ fitContext: { contextSize } } as const) : options.gpuLayers;
  const model = await llama
    .loadModel({ modelPath: options.path, gpuLayers })
    .catch(async (error: unknown) => {
      throw await failure("The model could not be loaded", error);
    });
  const contextOptions = {
    contextSize,
    batchSize: Math.min(batchSize, contextSize),
    sequences,
    swaFullCache: true,
  };
  const opened = givesVectors(info) ? undefined : model.createContext(contextOptions);
  const context = await opened?.catch(async (error: unknown) => {
    throw await failure("The model's context could not be made", error);
  });
  const gpuShare = llama.gpu === false ? 0 : model.gpuLayers / Math.max(1, insights.totalLayers);
  const gpuBytes = Math.round(model.size * Math.min(1, gpuShare));
  return { llama, model, options, contextSize, context, gpuBytes };
}

/** What the library says of the reason comes a moment after the failure. */
async function failure(what: string, error: unknown): Promise<AppError> {
  await sleep(50);
  const reason = [messageOf(error), complaint && `(${complaint})`].filter(Boolean).join(" ");
  return new AppError({ code: "provider_error", message: `${what}: ${reason.slice(0, 400)}` });
}
