import { definePlugin } from "@pergola/sdk";

export default definePlugin({});
