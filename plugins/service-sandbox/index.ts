import { defineHostPlugin } from "@pergola/sdk/host";
import { openSandbox } from "./sandbox.ts";

export default defineHostPlugin({ parts: { sandbox: openSandbox } });
