import { defineEndpoints, definePlugin } from "@pergola/sdk";
import { createPersonality } from "./routes/create-personality.ts";
import { deletePersonality } from "./routes/delete-personality.ts";
import { getPersonality } from "./routes/get-personality.ts";
import { listPersonalities } from "./routes/list-personalities.ts";
import { updatePersonality } from "./routes/update-personality.ts";

export const personalities = defineEndpoints({
  group: "personalities",
  routes: [listPersonalities, createPersonality, getPersonality, updatePersonality, deletePersonality],
});

export default definePlugin({ endpoints: [personalities] });
