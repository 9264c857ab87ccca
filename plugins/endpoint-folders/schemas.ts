import type { JsonSchema, Properties } from "@pergola/sdk";

export const folderParameter: Properties = { folderId: { type: "string", description: "UUID" } };

/** What can be said of a folder when it is made and when it is changed. */
export const folderProperties: Properties = {
  name: { type: "string", description: "1 to 200 characters" },
  color: { type: ["string", "null"] },
  icon: { type: ["string", "null"] },
  isCollapsed: { type: "boolean" },
};

export const folderSchema: JsonSchema = {
  type: "object",
  properties: { id: { type: "string" }, ...folderProperties },
};
