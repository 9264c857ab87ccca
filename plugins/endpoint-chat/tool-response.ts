import { answerProperties, readAnswer, wireAnswer, type Route } from "@pergola/sdk";

export const toolResponse: Route = {
  method: "POST",
  path: "/api/chat/tool-response",
  summary: "Answer a blocked tool call",
  body: {
    type: "object",
    properties: {
      toolCallId: { type: "string", minLength: 1, description: "The blocked call" },
      ...answerProperties,
    },
    required: ["toolCallId"],
  },
  async handle({ body }, { approvals }) {
    const given = body as Parameters<typeof readAnswer>[0] & {
      readonly toolCallId: string;
      readonly conversationId?: string;
    };
    return {
      body: wireAnswer(await approvals.answer(given.toolCallId, readAnswer(given), given.conversationId)),
    };
  },
};
