import { defineHostPlugin } from "@pergola/sdk/host";
import { openPreferences } from "./stored-preferences.ts";

export default defineHostPlugin({ parts: { preferences: openPreferences } });
