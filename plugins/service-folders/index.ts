import { defineHostPlugin } from "@pergola/sdk/host";
import { Folders } from "./folders.ts";

export default defineHostPlugin({ parts: { folders: (parts) => new Folders(parts) } });
