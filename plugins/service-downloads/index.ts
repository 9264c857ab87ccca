import { definePlugin } from "@pergola/sdk";
import { Downloads } from "./downloads.ts";

let downloads: Downloads | undefined;

export default definePlugin({
  parts: { downloads: (parts) => (downloads = new Downloads(parts)) },
  start: () => downloads?.recover(),
  stop: () => downloads?.stop(),
});
