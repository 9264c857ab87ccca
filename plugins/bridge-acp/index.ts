import { definePlugin } from "@pergola/sdk";

/** A service has nothing to do for it: `pergola acp` runs `serve.ts`. */
export default definePlugin({});
