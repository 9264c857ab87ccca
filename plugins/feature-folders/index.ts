import { definePlugin } from "@pergola/sdk";
import { Folders } from "./folders.ts";
import { folders } from "./routes.ts";

export default definePlugin({ parts: { folders: (parts) => new Folders(parts) }, endpoints: [folders] });
