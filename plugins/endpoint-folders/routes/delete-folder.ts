import type { Route } from "@pergola/sdk";
import { foldersOf } from "../folders-of.ts";
import { folderParameter } from "../schemas.ts";

export const deleteFolder: Route = {
  method: "DELETE",
  path: "/api/folders/{folderId}",
  summary: "Delete a folder; its conversations are in no folder then",
  params: folderParameter,
  response: { type: "object", properties: { success: { const: true } } },
  async handle({ params }, services) {
    await foldersOf(services).delete(params["folderId"] ?? "");
    return { body: { success: true } };
  },
};
