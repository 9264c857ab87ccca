import { defineEndpoints, definePlugin } from "@pergola/sdk";
import { createMiniPrompt } from "./routes/create-mini-prompt.ts";
import { createSystemPrompt } from "./routes/create-system-prompt.ts";
import { deleteMiniPrompt } from "./routes/delete-mini-prompt.ts";
import { deleteSystemPrompt } from "./routes/delete-system-prompt.ts";
import { getMiniPrompt } from "./routes/get-mini-prompt.ts";
import { getSystemPrompt } from "./routes/get-system-prompt.ts";
import { listMiniPrompts } from "./routes/list-mini-prompts.ts";
import { listSystemPrompts } from "./routes/list-system-prompts.ts";
import { updateMiniPrompt } from "./routes/update-mini-prompt.ts";
import { updateSystemPrompt } from "./routes/update-system-prompt.ts";

const system = [
  listSystemPrompts,
  createSystemPrompt,
  getSystemPrompt,
  updateSystemPrompt,
  deleteSystemPrompt,
];
const mini = [listMiniPrompts, createMiniPrompt, getMiniPrompt, updateMiniPrompt, deleteMiniPrompt];

export const prompts = defineEndpoints({ group: "prompts", routes: [...system, ...mini] });

export default definePlugin({ endpoints: [prompts] });
