import { defineEndpoints, definePlugin } from "@pergola/sdk";
import { createFolder } from "./routes/create-folder.ts";
import { deleteFolder } from "./routes/delete-folder.ts";
import { listFolders } from "./routes/list-folders.ts";
import { updateFolder } from "./routes/update-folder.ts";

export const folders = defineEndpoints({
  group: "folders",
  routes: [listFolders, createFolder, updateFolder, deleteFolder],
});

export default definePlugin({ endpoints: [folders] });
