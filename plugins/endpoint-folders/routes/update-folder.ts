import type { Route } from "@pergola/sdk";
import type { Folder } from "@pergola/sdk/host";
import { foldersOf } from "../folders-of.ts";
import { folderParameter, folderProperties } from "../schemas.ts";

export const updateFolder: Route = {
  method: "PATCH",
  path: "/api/folders/{folderId}",
  summary: "Change a folder",
  params: folderParameter,
  body: { type: "object", properties: folderProperties },
  response: { type: "object", properties: { success: { const: true } } },
  async handle({ params, body }, services) {
    await foldersOf(services).update(params["folderId"] ?? "", body as Partial<Omit<Folder, "id">>);
    return { body: { success: true } };
  },
};
