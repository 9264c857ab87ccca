import { definePlugin } from "@pergola/sdk";

/** A service has nothing to do for it: `pergola connect` runs `connect.ts`. */
export default definePlugin({});
