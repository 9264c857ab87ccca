import { definePlugin } from "@pergola/sdk";
import { openIsolated } from "./open-isolated.ts";

export default definePlugin({ parts: { isolation: openIsolated } });
