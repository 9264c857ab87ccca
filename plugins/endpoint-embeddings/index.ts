import { defineEndpoints, definePlugin } from "@pergola/sdk";
import { createEmbeddings } from "./routes/create-embeddings.ts";
import { embedPrompt } from "./routes/embed-prompt.ts";

export const embeddings = defineEndpoints({ group: "embeddings", routes: [createEmbeddings, embedPrompt] });

export default definePlugin({ endpoints: [embeddings] });
