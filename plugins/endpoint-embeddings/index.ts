import { defineEndpoints, definePlugin } from "@pergola/sdk";
import { createEmbeddings } from "./routes/create-embeddings.ts";

export const embeddings = defineEndpoints({ group: "embeddings", routes: [createEmbeddings] });

export default definePlugin({ endpoints: [embeddings] });
