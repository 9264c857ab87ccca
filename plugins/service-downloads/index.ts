import { defineHostPlugin } from "@pergola/sdk/host";
import { Downloads } from "./downloads.ts";

export default defineHostPlugin({ parts: { downloads: (parts) => new Downloads(parts) } });
