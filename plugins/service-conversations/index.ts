import { definePlugin } from "@pergola/sdk";
import { Conversations } from "./conversations.ts";

export default definePlugin({ parts: { conversations: (parts) => new Conversations(parts) } });
