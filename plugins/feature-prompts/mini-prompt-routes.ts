import { defineRoute, pageQuery } from "@pergola/sdk";
import type { MiniPrompt } from "@pergola/sdk/host";
import { textRoutes, type Available } from "./text-routes.ts";
import { knownFields, name, nonBlank } from "./text-schemas.ts";

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
  title: "MiniPrompt",
  type: "object",
  required: ["id", "name", "content"],
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
  scope: "read",
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
  failures: [],
  async handle({ query }, { prompts }: Available) {
    const { items, count } = await prompts.mini.list(query);
    const list = items.map(wirePrompt);
    return { body: { prompts: list, custom_instructions: list, count } };
  },
});

export const routes = textRoutes<MiniPrompt>({
  library: ({ mini }) => mini,
  all: listPaths,
  one: onePrompt,
  summaries: {
    create: "Make a mini prompt",
    get: "Show a mini prompt",
    update: "Change a mini prompt",
    delete: "Delete a mini prompt",
  },
  fields,
  required: ["name", "content"],
  read: (body) => knownFields(body, fields),
  response: promptSchema,
  wire: wirePrompt,
});

export const miniPromptRoutes = [listMiniPrompts, ...Object.values(routes)];
