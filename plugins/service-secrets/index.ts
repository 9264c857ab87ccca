import { defineHostPlugin } from "@pergola/sdk/host";
import { openSecrets } from "./secrets.ts";

export default defineHostPlugin({ parts: { secrets: openSecrets } });
