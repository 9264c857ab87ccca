import { definePlugin } from "@pergola/sdk";
import { Downloads } from "./downloads.ts";

export default definePlugin({ parts: { downloads: (parts) => new Downloads(parts) } });
