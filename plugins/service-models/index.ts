import { definePlugin } from "@pergola/sdk";
import { Models } from "./models.ts";
import { openProviders } from "./open-providers.ts";

export default definePlugin({ parts: { models: (parts) => new Models(parts, openProviders(parts)) } });
