import type { Route } from "@pergola/sdk";
import type { Folder } from "@pergola/sdk/host";
import { foldersOf } from "../folders-of.ts";
import { folderProperties, folderSchema } from "../schemas.ts";

export const createFolder: Route = {
  method: "POST",
  path: "/api/folders",
  summary: "Make a folder; one that has the name already is given back as it is",
  body: { type: "object", properties: folderProperties, required: ["name"] },
  response: folderSchema,
  async handle({ body }, services) {
    const { folder, isNew } = await foldersOf(services).create(body as Omit<Folder, "id">);
    return { status: isNew ? 201 : 200, body: folder };
  },
};
