import { defineEndpoints, definePlugin } from "@pergola/sdk";
import { countTokens } from "./routes/count-tokens.ts";
import { createMessage } from "./routes/create-message.ts";

export const messages = defineEndpoints({ group: "messages", routes: [createMessage, countTokens] });

export default definePlugin({ endpoints: [messages] });
