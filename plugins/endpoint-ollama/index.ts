import { defineEndpoints, definePlugin } from "@pergola/sdk";
import { chat } from "./routes/chat.ts";
import { embed } from "./routes/embed.ts";
import { embedPrompt } from "./routes/embed-prompt.ts";
import { generate } from "./routes/generate.ts";
import { listModels } from "./routes/list-models.ts";
import { listRunning } from "./routes/list-running.ts";
import { running } from "./routes/running.ts";
import { showModel } from "./routes/show-model.ts";
import { version } from "./routes/version.ts";

export const ollama = defineEndpoints({
  group: "ollama",
  routes: [running, version, listModels, listRunning, showModel, chat, generate, embed, embedPrompt],
});

export default definePlugin({ endpoints: [ollama] });
