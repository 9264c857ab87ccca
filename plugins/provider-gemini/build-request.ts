import { defined, type JsonObject, type ModelCall } from "@pergola/sdk";
import {
  readChatBody,
  requestSettings,
  nonEmpty,
  warnOfUnknownFields,
  type Warn,
} from "@pergola/kit-provider";
import { buildContents } from "./build-contents.ts";
import { buildGeneration } from "./build-generation.ts";
import { buildTools } from "./build-tools.ts";
import { modelTraits } from "./model-traits.ts";
import type { ThoughtSignatures } from "./thought-signatures.ts";
import { hasUnusableImage } from "./wire-parts.ts";

export interface GeminiRequest {
  /** JSON text. */
  readonly body: string;
  /** What Gemini cannot be asked for. */
  readonly warnings: readonly string[];
}

/** The call, or its bypassed body as one. */
function readRaw(call: ModelCall, warn: Warn): ModelCall {
  const { model, raw } = call;
  if (raw === undefined) return call;
  const options = { vendor: "Gemini", warn };
  warnOfUnknownFields(raw, ["n"], options);
  if (Number(raw["n"] ?? 1) > 1) warn("n was left out: one answer is given");
  return { model, ...readChatBody(raw, options) };
}

/** The body of `:streamGenerateContent`. `extra` holds the provider's own setting `body`. */
export function buildRequest(
  original: ModelCall,
  signatures: ThoughtSignatures,
  extra: JsonObject,
): GeminiRequest {
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  const call = readRaw(original, warn);
  const traits = modelTraits(call.model);
  if (call.messages.some(hasUnusableImage))
    warn("images were left out: Gemini takes data URLs and addresses");
  const body = defined({
    ...buildContents(call.messages, traits, signatures),
    ...buildTools(call, warn),
    generationConfig: nonEmpty(buildGeneration(call, traits, warn)),
    ...requestSettings(extra).body,
  });
  return { body: JSON.stringify(body), warnings };
}
