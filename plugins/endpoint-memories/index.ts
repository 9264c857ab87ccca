import { defineEndpoints, definePlugin } from "@pergola/sdk";
import { deleteMemory } from "./routes/delete-memory.ts";
import { getMemory } from "./routes/get-memory.ts";
import { listMemories } from "./routes/list-memories.ts";
import { updateMemory } from "./routes/update-memory.ts";

export const memories = defineEndpoints({
  group: "memories",
  routes: [listMemories, getMemory, updateMemory, deleteMemory],
});

export default definePlugin({ endpoints: [memories] });
