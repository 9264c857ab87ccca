import type { Route } from "@pergola/sdk";
import { wireSchema } from "../wire-preference.ts";

const flag = { type: "boolean" } as const;

export const listSchema: Route = {
  method: "GET",
  path: "/api/preferences/schema",
  summary: "List what preferences there are",
  response: {
    type: "object",
    properties: {
      preferences: {
        type: "array",
        items: {
          type: "object",
          properties: {
            key: { type: "string" },
            type: { type: ["string", "array"], description: "In the words of JSON Schema" },
            default: {},
            range: {
              type: ["object", "null"],
              description: "enum, minimum, maximum, minLength, maxLength, pattern; null = any",
            },
            secret: flag,
            protected: { ...flag, description: "Not for callers on other computers" },
            restart: { ...flag, description: "In force after a restart" },
            description: { type: "string" },
            source: {
              enum: ["flag", "environment", "file", "stored", "default"],
              description: "Where the value in force comes from",
            },
          },
        },
      },
    },
  },
  handle: (_request, { preferences }) => ({ body: { preferences: preferences.list().map(wireSchema) } }),
};
