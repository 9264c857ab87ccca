import { builtInPromptIds, defaultPrompt, untilDonePrompt, type SystemPrompt } from "@pergola/sdk/host";
import { builtIn } from "./built-in.ts";

const minimal =
  "You are a helpful assistant. Text between <context> and </context> states facts of the moment " +
  "and the person's standing instructions; use it, do not repeat it.";

export const builtInSystemPrompts: readonly SystemPrompt[] = [
  {
    ...builtIn,
    id: builtInPromptIds.default,
    name: "Default",
    description: "For conversation and for work with tools",
    content: defaultPrompt,
  },
  {
    ...builtIn,
    id: builtInPromptIds.autonomous,
    name: "Autonomous",
    description: "Plans, then works until the task is done",
    content: `${defaultPrompt}\n\n${untilDonePrompt}`,
  },
  {
    ...builtIn,
    id: builtInPromptIds.minimal,
    name: "Minimal",
    description: "As little as possible, for small models and short contexts",
    content: minimal,
  },
];
