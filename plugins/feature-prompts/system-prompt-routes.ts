import { defineRoute, pageQuery, successSchema, type ServicesWith } from "@pergola/sdk";
import { builtInPromptIds, type SystemPrompt } from "@pergola/sdk/host";
import { description, knownFields, listedProperties, name, nonBlank } from "./text-schemas.ts";

type Available = ServicesWith<"prompts">;

const promptParameter = {
  promptId: { type: "string", description: "UUID, or the word of a built-in one" },
} as const;

const fields = { name, content: { ...nonBlank, maxLength: 100_000 }, description } as const;

const promptSchema = {
  type: "object",
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
  summary: "List system prompts, the built-in ones first",
  query: pageQuery,
  response: {
    type: "object",
    properties: {
      prompts: { type: "array", items: { type: "object", properties: listedProperties } },
      count: { type: "integer", description: "Prompts before paging" },
    },
  },
  async handle({ query }, services: Available) {
    const { items, count } = await services.prompts.system.list(query);
    const defaultId = await defaultIdOf(services);
    return { body: { prompts: items.map((prompt) => wireListed(prompt, defaultId)), count } };
  },
});

export const createSystemPrompt = defineRoute({
  method: "POST",
  path: "/api/prompts/system",
  summary: "Make a system prompt",
  body: { type: "object", properties: fields, required: ["name", "content"] },
  response: promptSchema,
  async handle({ body }, services: Available) {
    const prompt = await services.prompts.system.create(knownFields(body, fields));
    return { status: 201, body: await wirePrompt(prompt, services) };
  },
});

export const getSystemPrompt = defineRoute({
  method: "GET",
  path: "/api/prompts/system/{promptId}",
  summary: "Show a system prompt with its text",
  params: promptParameter,
  response: promptSchema,
  handle: async ({ params }, services: Available) => ({
    body: await wirePrompt(await services.prompts.system.get(params.promptId), services),
  }),
});

export const updateSystemPrompt = defineRoute({
  method: "PATCH",
  path: "/api/prompts/system/{promptId}",
  summary: "Change a system prompt; built-in ones cannot be changed",
  params: promptParameter,
  body: { type: "object", properties: fields },
  response: successSchema,
  async handle({ params, body }, { prompts }: Available) {
    await prompts.system.update(params.promptId, knownFields(body, fields));
    return { body: { success: true } };
  },
});

export const deleteSystemPrompt = defineRoute({
  method: "DELETE",
  path: "/api/prompts/system/{promptId}",
  summary: "Delete a system prompt; whoever has chosen it falls back to the default",
  params: promptParameter,
  response: successSchema,
  async handle({ params }, { prompts }: Available) {
    await prompts.system.delete(params.promptId);
    return { body: { success: true } };
  },
});

export const systemPromptRoutes = [
  listSystemPrompts,
  createSystemPrompt,
  getSystemPrompt,
  updateSystemPrompt,
  deleteSystemPrompt,
];
