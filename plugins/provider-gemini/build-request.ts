import type { JsonObject, ModelCall } from "@pergola/sdk";
import { buildContents } from "./build-contents.ts";
import { buildGeneration } from "./build-generation.ts";
import { buildTools } from "./build-tools.ts";
import { modelTraits } from "./model-traits.ts";
import { readRaw } from "./read-raw.ts";
import type { ThoughtSignatures } from "./thought-signatures.ts";
import { isObject } from "./values.ts";
import { imagePart } from "./wire-parts.ts";

export interface GeminiRequest {
  /** JSON text. */
  readonly body: string;
  /** What Gemini cannot be asked for. */
  readonly warnings: readonly string[];
}

const hasUnusableImage = ({ messages }: ModelCall): boolean =>
  messages.some(
    ({ content }) =>
      typeof content === "object" &&
      content?.some((part) => part.type === "image_url" && imagePart(part.image_url.url) === undefined) ===
        true,
  );

/**
 * The body of `:streamGenerateContent`. A bypassed body of the chat-completions format is translated.
 * `extra.body` stands in every request.
 */
export function buildRequest(
  given: ModelCall,
  signatures: ThoughtSignatures,
  extra: JsonObject,
): GeminiRequest {
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  const call = given.raw === undefined ? given : readRaw(given.raw, given.model, warn);
  const traits = modelTraits(call.model);
  const generationConfig = buildGeneration(call, traits, warn);
  if (hasUnusableImage(call)) warn("images were left out: Gemini takes data URLs and addresses");
  const body = {
    ...buildContents(call, traits, signatures),
    ...buildTools(call, warn),
    ...(Object.keys(generationConfig).length === 0 ? {} : { generationConfig }),
    ...(isObject(extra["body"]) ? extra["body"] : {}),
  };
  return { body: JSON.stringify(body), warnings };
}
