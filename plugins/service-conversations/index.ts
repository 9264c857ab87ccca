import { defineHostPlugin } from "@pergola/sdk/host";
import { Conversations } from "./conversations.ts";

export default defineHostPlugin({ parts: { conversations: (parts) => new Conversations(parts) } });
