import { definePlugin } from "@pergola/sdk";

/** A service has nothing to do for it: `pergola acp` runs what `serve.ts` exports. */
export default definePlugin({});
