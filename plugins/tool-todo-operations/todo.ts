import type { FromSchema } from "@pergola/sdk";

export const statuses = ["not-started", "in-progress", "completed", "blocked"] as const;
export type Status = (typeof statuses)[number];

const text = { type: "string" } as const;

/** What may be said of a new to-do. */
export const newFields = {
  title: text,
  description: text,
  status: { type: "string", enum: statuses },
  priority: { type: "string", enum: ["low", "medium", "high", "critical"] },
} as const;

export const allFields = {
  id: { type: "integer" },
  ...newFields,
  dependencies: { type: "array", items: { type: "integer" } },
  canRunParallel: { type: "boolean" },
  parallelGroup: text,
  progress: { type: "number", minimum: 0, maximum: 1 },
  blockedReason: text,
} as const;

const item = { type: "object", properties: allFields, required: ["id", "title", "status"] } as const;

/** A to-do as it is kept; `addedBy` is the call that added it, so that no crash adds it twice. */
export type Todo = FromSchema<typeof item> & { readonly addedBy?: string };

/** Several of something, also under the name that all operations take. */
export const listOf = <const I>(items: I, description: string) =>
  ({ type: "array", items, description, aliases: ["todos"] }) as const;

export const todoList = listOf(item, "The whole new list");
