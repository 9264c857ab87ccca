import type { ChatMessage } from "@pergola/sdk";
import { messageText } from "@pergola/sdk/host";

const sizeOfCalls = ({ toolCalls = [] }: ChatMessage): number =>
  toolCalls.reduce((sum, { arguments: input }) => sum + input.length, 0);

/** About the bytes that the messages of a request hold. */
export const requestSize = (messages: readonly ChatMessage[]): number =>
  messages.reduce((sum, message) => sum + messageText(message).length + sizeOfCalls(message), 0);
