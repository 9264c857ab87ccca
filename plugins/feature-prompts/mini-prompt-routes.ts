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
  params: { promptId: { type: "string", description: "UUID, or the command of a prompt of an MCP server" } },
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
    content: {
      type: "string",
      description: "Empty for a prompt of an MCP server, which gives it when it is used",
    },
    displayOrder: { type: "integer" },
    mcp: {
      type: "object",
      description: "Of a prompt of an MCP server; its words are the server's",
      properties: {
        command: { type: "string", description: "A message that begins with `/` and this calls it" },
        server: { type: "string" },
        description: { type: "string" },
        arguments: {
          type: "array",
          description: "In the order in which the words behind the command fill them",
          items: {
            type: "object",
            properties: {
              name: { type: "string" },
              description: { type: "string" },
              required: { type: "boolean" },
            },
          },
        },
      },
    },
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
  summary: "List mini prompts by their displayOrder, and behind them the prompts of MCP servers",
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
