import type { Route } from "@pergola/sdk";
import { wirePreferences } from "../wire-preference.ts";

export const getPreferences: Route = {
  method: "GET",
  path: "/api/preferences",
  summary: "Show the preferences in force",
  response: {
    type: "object",
    properties: {
      defaultModel: { type: "string" },
      defaultSystemPromptId: { type: "string" },
      defaultPersonalityId: { type: "string" },
      preferences: { type: "object", description: "Values by key; a secret shows as { set: boolean }" },
    },
  },
  handle: (_request, { preferences }) => ({
    body: {
      defaultModel: preferences.get("default_model"),
      defaultSystemPromptId: preferences.get("default_system_prompt_id"),
      defaultPersonalityId: preferences.get("default_personality_id"),
      preferences: wirePreferences(preferences.list()),
    },
  }),
};
