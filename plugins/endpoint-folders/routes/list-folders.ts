import type { Route } from "@pergola/sdk";
import { foldersOf } from "../folders-of.ts";
import { folderSchema } from "../schemas.ts";

export const listFolders: Route = {
  method: "GET",
  path: "/api/folders",
  summary: "List folders by name",
  query: {
    limit: { type: "integer", minimum: 1, maximum: 1000, description: "Without it, all" },
    offset: { type: "integer", minimum: 0, default: 0 },
  },
  response: {
    type: "object",
    properties: {
      folders: { type: "array", items: folderSchema },
      count: { type: "integer", description: "Folders before paging" },
    },
  },
  async handle({ query }, services) {
    const { items, count } = await foldersOf(services).list(query);
    return { body: { folders: items, count } };
  },
};
