import { defineHostPlugin } from "@pergola/sdk/host";
import { Downloads } from "./downloads.ts";
import { downloads } from "./routes.ts";

export default defineHostPlugin({
  parts: { downloads: (parts) => new Downloads(parts) },
  endpoints: [downloads],
});
