import type { Route } from "@pergola/sdk";
import { miniPaths, miniProperties, wireMini } from "../mini-prompt.ts";
import { promptsOf } from "../prompts-of.ts";
import { count, pageQuery } from "../schemas.ts";

const list = { type: "array", items: { type: "object", properties: miniProperties } } as const;

export const listMiniPrompts: Route = {
  method: "GET",
  path: "/api/prompts/mini",
  aliases: miniPaths(),
  summary: "List mini prompts by their displayOrder",
  query: pageQuery,
  response: {
    type: "object",
    properties: {
      prompts: list,
      custom_instructions: { ...list, description: "The same again, for older clients" },
      count,
    },
  },
  async handle({ query }, services) {
    const { items, count: all } = await promptsOf(services).mini.list(query);
    const prompts = items.map(wireMini);
    return { body: { prompts, custom_instructions: prompts, count: all } };
  },
};
