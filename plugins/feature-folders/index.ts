import { defineHostPlugin } from "@pergola/sdk/host";
import { Folders } from "./folders.ts";
import { folders } from "./routes.ts";

export default defineHostPlugin({ parts: { folders: (parts) => new Folders(parts) }, endpoints: [folders] });
