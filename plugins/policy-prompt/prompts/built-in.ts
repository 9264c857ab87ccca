import { builtInId, builtInPromptIds } from "@pergola/sdk";
import { autonomousPrompt } from "./autonomous.ts";
import { defaultPrompt } from "./default.ts";
import { minimalPrompt } from "./minimal.ts";
import type { Prompt } from "./prompt.ts";

const prompts: readonly Prompt[] = [defaultPrompt, autonomousPrompt, minimalPrompt];

/** A built-in prompt by its id or word, without regard to case. */
export function builtInPrompt(idOrWord: string): Prompt | undefined {
  const id = builtInId(builtInPromptIds, idOrWord);
  return prompts.find((prompt) => prompt.id === id);
}
