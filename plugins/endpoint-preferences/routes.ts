import {
  defineEndpoints,
  defineRoute,
  type Caller,
  type Preference,
  type PreferenceService,
} from "@pergola/sdk";
import { wirePreferences, wireSchema } from "./wire-preference.ts";

const text = { type: "string" } as const;

export const getPreferences = defineRoute({
  method: "GET",
  path: "/api/preferences",
  scope: "read",
  summary: "Show the preferences in force",
  response: {
    type: "object",
    properties: {
      defaultModel: text,
      defaultSystemPromptId: text,
      defaultPersonalityId: text,
      preferences: { type: "object", description: "Values by key; a secret shows as { set: boolean }" },
    },
  },
  failures: [],
  handle: (_request, { preferences }) => ({
    body: {
      defaultModel: preferences.get("default_model"),
      defaultSystemPromptId: preferences.get("default_system_prompt_id"),
      defaultPersonalityId: preferences.get("default_personality_id"),
      preferences: wirePreferences(preferences.list()),
    },
  }),
});

export const updatePreferences = defineRoute({
  method: "PATCH",
  path: "/api/preferences",
  scope: "admin",
  summary: "Change preferences, all or none",
  // The keys are those of the preferences, which refuse unknown ones by their own code.
  strict: false,
  body: {
    type: "object",
    description: "Values by key; null goes back to the default",
    additionalProperties: true,
    examples: [{ default_model: "embedded/guide", "workflow.max_iterations": 50 }],
    properties: { preferences: { type: "object", description: "The same, for clients that wrap the keys" } },
  },
  response: {
    type: "object",
    properties: {
      success: { const: true },
      preferences: { type: "object", description: "Those that were named, as they are now" },
      restartRequired: {
        type: "array",
        items: text,
        description: "Keys whose new value is in force after a restart",
      },
    },
  },
  failures: ["unknown_preference", "set_elsewhere"],
  async handle({ body, caller }, services) {
    const { preferences: wrapped, ...keys } = body;
    const { changed, restartRequired } = await services.preferences.update({ ...keys, ...wrapped }, caller);
    return { body: { success: true, preferences: wirePreferences(changed), restartRequired } };
  },
});

const flag = { type: "boolean" } as const;

/** Why a caller cannot change a preference; null where it can. */
function refusalFor(one: Preference, caller: Caller, preferences: PreferenceService): string | null {
  if (!caller.scopes.includes("admin")) return "Your token does not allow changes.";
  return preferences.refusal(one, caller);
}

export const listSchema = defineRoute({
  method: "GET",
  path: "/api/preferences/schema",
  scope: "read",
  summary: "List what preferences there are",
  response: {
    type: "object",
    properties: {
      preferences: {
        type: "array",
        items: {
          type: "object",
          properties: {
            key: text,
            type: { type: ["string", "array"], description: "In the words of JSON Schema" },
            default: {},
            range: {
              type: ["object", "null"],
              description: "enum, minimum, maximum, minLength, maxLength, pattern; null = any",
            },
            secret: flag,
            protected: { ...flag, description: "Not for callers on other computers" },
            restart: { ...flag, description: "In force after a restart" },
            description: text,
            source: {
              enum: ["flag", "environment", "file", "stored", "default"],
              description: "Where the value in force comes from",
            },
            refusal: {
              type: ["string", "null"],
              description: "Why the caller cannot change it; null where that is possible",
            },
          },
        },
      },
    },
  },
  failures: [],
  handle: ({ caller }, { preferences }) => ({
    body: {
      preferences: preferences
        .list()
        .map((one) => ({ ...wireSchema(one), refusal: refusalFor(one, caller, preferences) })),
    },
  }),
});

export const preferences = defineEndpoints({
  group: "preferences",
  routes: [getPreferences, updatePreferences, listSchema],
});
