import { builtInPromptIds } from "@pergola/sdk";
import type { Prompt } from "./prompt.ts";

export const minimalPrompt: Prompt = {
  id: builtInPromptIds.minimal,
  name: "Minimal",
  description: "As little as possible, for small models and short contexts",
  parts: ["You are a helpful assistant. Text between <context> and </context> states facts of the moment; use it, do not repeat it."],
};
