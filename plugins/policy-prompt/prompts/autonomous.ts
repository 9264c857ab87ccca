import { builtInPromptIds } from "@pergola/sdk";
import { defaultPrompt } from "./default.ts";
import type { Prompt } from "./prompt.ts";

/** What is added for a run that works without the person. */
export const untilDone = `You work on your own until the task is done:
- Plan first. If todo_operations is offered, keep the plan there: one item in progress, each item marked when it is finished.
- Go on from step to step without asking; ask only what nobody but the person can decide.
- Check each result before you build on it.
- Answer without a tool call only at the end: say what was done, how you checked it, and what is left and why.`;

export const autonomousPrompt: Prompt = {
  id: builtInPromptIds.autonomous,
  name: "Autonomous",
  description: "Plans, then works until the task is done",
  parts: [...defaultPrompt.parts, untilDone],
};
