import { defineEndpoints, defineRoute, pageQuery, successSchema, type ServicesWith } from "@pergola/sdk";

type Available = ServicesWith<"folders">;

const folderParameter = { folderId: { type: "string", description: "UUID" } } as const;

/** The fields that a client can set. */
const folderFields = {
  name: { type: "string", description: "1 to 200 characters" },
  color: { type: ["string", "null"] },
  icon: { type: ["string", "null"] },
  isCollapsed: { type: "boolean" },
} as const;

const folderSchema = {
  title: "Folder",
  type: "object",
  required: ["id", "name"],
  properties: { id: { type: "string" }, ...folderFields },
} as const;

export const listFolders = defineRoute({
  method: "GET",
  path: "/api/folders",
  scope: "read",
  summary: "List folders by name",
  query: pageQuery,
  response: {
    type: "object",
    properties: {
      folders: { type: "array", items: folderSchema },
      count: { type: "integer", description: "Folders before paging" },
    },
  },
  failures: [],
  async handle({ query }, { folders }: Available) {
    const { items, count } = await folders.list(query);
    return { body: { folders: items, count } };
  },
});

export const createFolder = defineRoute({
  method: "POST",
  path: "/api/folders",
  scope: "chat",
  summary: "Make a folder; one that has the name already is given back as it is",
  body: { type: "object", properties: folderFields, required: ["name"] },
  response: folderSchema,
  answers: { 201: { "application/json": folderSchema } },
  failures: [],
  async handle({ body }, { folders }: Available) {
    const { folder, isNew } = await folders.create(body);
    return { status: isNew ? 201 : 200, body: folder };
  },
});

export const updateFolder = defineRoute({
  method: "PATCH",
  path: "/api/folders/{folderId}",
  scope: "chat",
  summary: "Change a folder",
  params: folderParameter,
  body: { type: "object", properties: folderFields },
  response: successSchema,
  failures: ["id_taken"],
  async handle({ params, body }, { folders }: Available) {
    await folders.update(params.folderId, body);
    return { body: { success: true } };
  },
});

export const deleteFolder = defineRoute({
  method: "DELETE",
  path: "/api/folders/{folderId}",
  scope: "chat",
  summary: "Delete a folder; its conversations are in no folder then",
  params: folderParameter,
  response: successSchema,
  failures: [],
  async handle({ params }, { folders }: Available) {
    await folders.delete(params.folderId);
    return { body: { success: true } };
  },
});

export const folders = defineEndpoints({
  group: "folders",
  needs: "folders",
  routes: [listFolders, createFolder, updateFolder, deleteFolder],
});
