import { definePlugin } from "@pergola/sdk";
import { Folders } from "./folders.ts";

export default definePlugin({ parts: { folders: (parts) => new Folders(parts) } });
