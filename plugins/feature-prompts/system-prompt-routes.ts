import { defineRoute, pageQuery } from "@pergola/sdk";
import { builtInPromptIds, type SystemPrompt } from "@pergola/sdk/host";
import { textRoutes, type Available } from "./text-routes.ts";
import { description, knownFields, listedProperties, name, nonBlank } from "./text-schemas.ts";

const promptParameter = {
  promptId: { type: "string", description: "UUID, or the word of a built-in one" },
} as const;

const fields = { name, content: { ...nonBlank, maxLength: 100_000 }, description } as const;

const promptSchema = {
  title: "SystemPrompt",
  type: "object",
  required: ["id", "name", "content"],
  properties: { ...listedProperties, content: { type: "string" } },
} as const;

/** The id of the prompt that is used where nobody chose one. */
async function defaultIdOf({ prompts, preferences }: Available): Promise<string> {
  const found = await prompts.system.find(preferences.get<string>("default_system_prompt_id"));
  return found?.id ?? builtInPromptIds.default;
}

const wireListed = ({ id, name, description, builtIn }: SystemPrompt, defaultId: string) => ({
  id,
  name,
  description,
  isDefault: id === defaultId,
  builtIn,
});

const wirePrompt = async (prompt: SystemPrompt, services: Available) => ({
  ...wireListed(prompt, await defaultIdOf(services)),
  content: prompt.content,
});

export const listSystemPrompts = defineRoute({
  method: "GET",
  path: "/api/prompts/system",
  scope: "read",
  summary: "List system prompts, the built-in ones first",
  query: pageQuery,
  response: {
    type: "object",
    properties: {
      prompts: { type: "array", items: { type: "object", properties: listedProperties } },
      count: { type: "integer", description: "Prompts before paging" },
    },
  },
  failures: [],
  async handle({ query }, services: Available) {
    const { items, count } = await services.prompts.system.list(query);
    const defaultId = await defaultIdOf(services);
    return { body: { prompts: items.map((prompt) => wireListed(prompt, defaultId)), count } };
  },
});

export const routes = textRoutes<SystemPrompt>({
  library: ({ system }) => system,
  all: { path: "/api/prompts/system" },
  one: { path: "/api/prompts/system/{promptId}", params: promptParameter },
  summaries: {
    create: "Make a system prompt",
    get: "Show a system prompt with its text",
    update: "Change a system prompt; built-in ones cannot be changed",
    delete: "Delete a system prompt; whoever has chosen it falls back to the default",
  },
  fields,
  required: ["name", "content"],
  read: (body) => knownFields(body, fields),
  response: promptSchema,
  wire: wirePrompt,
});

export const systemPromptRoutes = [listSystemPrompts, ...Object.values(routes)];
