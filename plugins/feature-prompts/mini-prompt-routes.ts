import { defineRoute, pageQuery, successSchema, type ServicesWith } from "@pergola/sdk";
import type { MiniPrompt } from "@pergola/sdk/host";
import { knownFields, name, nonBlank } from "./text-schemas.ts";

type Available = ServicesWith<"prompts">;

const listPaths = {
  path: "/api/prompts/mini",
  aliases: ["/api/mini-prompts", "/api/custom-instructions"],
} as const;

const onePrompt = {
  path: "/api/prompts/mini/{promptId}",
  aliases: ["/api/mini-prompts/{promptId}", "/api/custom-instructions/{promptId}"],
  params: { promptId: { type: "string", description: "UUID, or the word of a built-in one" } },
} as const;

const fields = {
  name,
  content: { ...nonBlank, maxLength: 20_000 },
  displayOrder: {
    type: "integer",
    minimum: -1_000_000,
    maximum: 1_000_000,
    description: "The lowest comes first; without it, behind the others",
  },
} as const;

const promptSchema = {
  type: "object",
  properties: {
    id: { type: "string" },
    name: { type: "string" },
    content: { type: "string" },
    displayOrder: { type: "integer" },
    createdAt: { type: "string", format: "date-time" },
    modifiedAt: { type: "string", format: "date-time" },
  },
} as const;

const listSchema = { type: "array", items: promptSchema } as const;

const wirePrompt = ({ builtIn: _, ...prompt }: MiniPrompt) => prompt;

export const listMiniPrompts = defineRoute({
  method: "GET",
  ...listPaths,
  summary: "List mini prompts by their displayOrder",
  query: pageQuery,
  response: {
    type: "object",
    properties: {
      prompts: listSchema,
      custom_instructions: { ...listSchema, description: "The same again, for older clients" },
      count: { type: "integer", description: "Prompts before paging" },
    },
  },
  async handle({ query }, { prompts }: Available) {
    const { items, count } = await prompts.mini.list(query);
    const list = items.map(wirePrompt);
    return { body: { prompts: list, custom_instructions: list, count } };
  },
});

export const createMiniPrompt = defineRoute({
  method: "POST",
  ...listPaths,
  summary: "Make a mini prompt",
  body: { type: "object", properties: fields, required: ["name", "content"] },
  response: promptSchema,
  async handle({ body }, { prompts }: Available) {
    const prompt = await prompts.mini.create(knownFields(body, fields));
    return { status: 201, body: wirePrompt(prompt) };
  },
});

export const getMiniPrompt = defineRoute({
  method: "GET",
  ...onePrompt,
  summary: "Show a mini prompt",
  response: promptSchema,
  handle: async ({ params }, { prompts }: Available) => ({
    body: wirePrompt(await prompts.mini.get(params.promptId)),
  }),
});

export const updateMiniPrompt = defineRoute({
  method: "PATCH",
  ...onePrompt,
  summary: "Change a mini prompt",
  body: { type: "object", properties: fields },
  response: successSchema,
  async handle({ params, body }, { prompts }: Available) {
    await prompts.mini.update(params.promptId, knownFields(body, fields));
    return { body: { success: true } };
  },
});

export const deleteMiniPrompt = defineRoute({
  method: "DELETE",
  ...onePrompt,
  summary: "Delete a mini prompt",
  response: successSchema,
  async handle({ params }, { prompts }: Available) {
    await prompts.mini.delete(params.promptId);
    return { body: { success: true } };
  },
});

export const miniPromptRoutes = [
  listMiniPrompts,
  createMiniPrompt,
  getMiniPrompt,
  updateMiniPrompt,
  deleteMiniPrompt,
];
