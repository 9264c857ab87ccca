import { definePlugin } from "@pergola/sdk";
import { openPreferences } from "./stored-preferences.ts";

export default definePlugin({ parts: { preferences: openPreferences } });
