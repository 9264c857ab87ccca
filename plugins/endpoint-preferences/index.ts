import { defineEndpoints, definePlugin } from "@pergola/sdk";
import { getPreferences } from "./routes/get-preferences.ts";
import { listSchema } from "./routes/list-schema.ts";
import { updatePreferences } from "./routes/update-preferences.ts";

export const preferences = defineEndpoints({
  group: "preferences",
  routes: [getPreferences, updatePreferences, listSchema],
});

export default definePlugin({ endpoints: [preferences] });
