import type { Route } from "@pergola/sdk";
import { changesOf } from "../changes-of.ts";
import { includeAgents, runParameter } from "../schemas.ts";

const text = { type: "string" } as const;

export const revertRun: Route = {
  method: "POST",
  path: "/api/runs/{runId}/revert",
  summary: "Take back what a run has changed in files",
  params: runParameter,
  body: {
    type: "object",
    properties: {
      paths: {
        type: "array",
        items: { ...text, minLength: 1 },
        minItems: 1,
        description: "Only these absolute paths, and what lies below",
      },
      changeIds: {
        type: "array",
        items: { ...text, minLength: 1 },
        minItems: 1,
        description: "Only these changes",
      },
      includeAgents,
      partial: {
        type: "boolean",
        default: false,
        description: "Do what can be done when something is refused; else nothing is",
      },
      dryRun: { type: "boolean", default: false, description: "Only say what would be done" },
    },
  },
  response: {
    type: "object",
    properties: {
      success: { type: "boolean", description: "Nothing was refused" },
      revertId: {
        type: ["string", "null"],
        description: "Lists and reverts the revert; null when nothing was done",
      },
      reverted: {
        type: "array",
        items: {
          type: "object",
          properties: {
            path: text,
            action: { enum: ["restored", "removed", "renamed"] },
            to: { ...text, description: "Of what is renamed" },
          },
        },
      },
      refused: { type: "array", items: { type: "object", properties: { path: text, reason: text } } },
      kept: {
        type: "array",
        items: text,
        description: "Folders that the run made and that hold something else",
      },
    },
  },
  handle: async ({ params, body, caller }, services) => ({
    body: await changesOf(services).revert(params["runId"] ?? "", body ?? {}, caller),
  }),
};
