import { defineHostPlugin } from "@pergola/sdk/host";
import { openIsolated } from "./open-isolated.ts";

export default defineHostPlugin({ parts: { isolation: openIsolated } });
