import type { JsonObject, Route } from "@pergola/sdk";
import { wirePreferences } from "../wire-preference.ts";

export const updatePreferences: Route = {
  method: "PATCH",
  path: "/api/preferences",
  summary: "Change preferences, all or none",
  body: {
    type: "object",
    description: "Values by key; null goes back to the default",
    properties: { preferences: { type: "object", description: "The same, for clients that wrap the keys" } },
  },
  response: {
    type: "object",
    properties: {
      success: { const: true },
      preferences: { type: "object", description: "Those that were named, as they are now" },
      restartRequired: {
        type: "array",
        items: { type: "string" },
        description: "Keys whose new value is in force after a restart",
      },
    },
  },
  async handle({ body, caller }, services) {
    const { preferences: wrapped = {}, ...keys } = body as JsonObject & { readonly preferences?: JsonObject };
    const { changed, restartRequired } = await services.preferences.update({ ...keys, ...wrapped }, caller);
    return { body: { success: true, preferences: wirePreferences(changed), restartRequired } };
  },
};
