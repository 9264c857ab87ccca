import { defineHostPlugin } from "@pergola/sdk/host";
import { ConversationFiles } from "./conversation-files.ts";
import { files } from "./routes.ts";

export default defineHostPlugin({
  parts: { files: (parts) => new ConversationFiles(parts) },
  endpoints: [files],
});
