import type { Route } from "@pergola/sdk";
import { promptsOf } from "../prompts-of.ts";
import { count, pageQuery } from "../schemas.ts";
import { defaultIdOf, listedSystemProperties, wireListed } from "../system-prompt.ts";

export const listSystemPrompts: Route = {
  method: "GET",
  path: "/api/prompts/system",
  summary: "List system prompts, the built-in ones first",
  query: pageQuery,
  response: {
    type: "object",
    properties: {
      prompts: { type: "array", items: { type: "object", properties: listedSystemProperties } },
      count,
    },
  },
  async handle({ query }, services) {
    const { items, count: all } = await promptsOf(services).system.list(query);
    const defaultId = await defaultIdOf(services);
    return { body: { prompts: items.map((prompt) => wireListed(prompt, defaultId)), count: all } };
  },
};
