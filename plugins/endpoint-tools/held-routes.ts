import { defineRoute, type Services } from "@pergola/sdk";

type HeldFile = Awaited<ReturnType<Services["tools"]["heldFiles"]["remove"]>>;

const text = { type: "string" } as const;

const heldFileSchema = {
  title: "HeldFile",
  type: "object",
  properties: {
    id: text,
    path: { ...text, description: "Where it appeared" },
    callId: { ...text, description: "The call whose programs ran" },
    runId: { type: ["string", "null"], description: "null for a call by hand" },
    tool: text,
    operation: text,
    at: { ...text, format: "date-time" },
  },
} as const;

const params = { id: { type: "string", description: "Id of a held file (held_…)" } } as const;

const response = {
  type: "object",
  properties: { success: { const: true }, file: heldFileSchema },
} as const;

const done = (file: HeldFile) => ({ body: { success: true as const, file } });

export const listHeldFiles = defineRoute({
  method: "GET",
  path: "/api/held-files",
  scope: "approve",
  summary:
    "List the files that programs made under protected names and that were moved away, the newest first",
  response: {
    type: "object",
    properties: { files: { type: "array", items: heldFileSchema }, count: { type: "integer" } },
  },
  failures: [],
  async handle({ caller }, { tools }) {
    const files = await tools.heldFiles.list(caller);
    return { body: { files: [...files], count: files.length } };
  },
});

export const restoreHeldFile = defineRoute({
  method: "POST",
  path: "/api/held-files/{id}/restore",
  scope: "approve",
  summary: "Put a held file back where it appeared",
  strict: true,
  params,
  response,
  failures: ["conflict"],
  handle: async ({ params, caller }, { tools }) => done(await tools.heldFiles.restore(params.id, caller)),
});

export const removeHeldFile = defineRoute({
  method: "DELETE",
  path: "/api/held-files/{id}",
  scope: "approve",
  summary: "Throw a held file away",
  params,
  response,
  failures: [],
  handle: async ({ params, caller }, { tools }) => done(await tools.heldFiles.remove(params.id, caller)),
});
