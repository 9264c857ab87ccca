import { definePlugin } from "@pergola/sdk";
import { Downloads } from "./downloads.ts";
import { downloads } from "./routes.ts";

export default definePlugin({
  parts: { downloads: (parts) => new Downloads(parts) },
  endpoints: [downloads],
});
