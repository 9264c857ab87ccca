import { defineEndpoints, definePlugin } from "@pergola/sdk";
import { createConversation } from "./routes/create-conversation.ts";
import { deleteConversation } from "./routes/delete-conversation.ts";
import { getContext } from "./routes/get-context.ts";
import { getConversation } from "./routes/get-conversation.ts";
import { listBranches } from "./routes/list-branches.ts";
import { listConversations } from "./routes/list-conversations.ts";
import { listMessages } from "./routes/list-messages.ts";
import { updateByPost, updateConversation } from "./routes/update-conversation.ts";
import { updateMessage } from "./routes/update-message.ts";

export const conversations = defineEndpoints({
  group: "conversations",
  routes: [
    listConversations,
    createConversation,
    getConversation,
    updateConversation,
    updateByPost,
    deleteConversation,
    listBranches,
    getContext,
    listMessages,
    updateMessage,
  ],
});

export default definePlugin({ endpoints: [conversations] });
