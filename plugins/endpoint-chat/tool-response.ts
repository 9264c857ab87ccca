import { answerProperties, defineRoute, readAnswer, wireAnswer } from "@pergola/sdk";
import { acknowledgementSchema } from "./answer-schemas.ts";

export const toolResponse = defineRoute({
  method: "POST",
  path: "/api/chat/tool-response",
  scope: "chat",
  summary: "Answer a blocked tool call",
  strict: true,
  description:
    "The event user_input_required of a stream, and GET /api/approvals, have the id. " +
    "The first answer counts; the run that waited goes on.",
  body: {
    type: "object",
    properties: {
      toolCallId: { type: "string", minLength: 1, description: "The blocked call" },
      ...answerProperties,
    },
    required: ["toolCallId"],
    examples: [{ toolCallId: "call_1", approved: true }],
  },
  response: acknowledgementSchema,
  failures: ["not_found", "already_answered"],
  handle: async ({ body, caller }, { approvals }) => ({
    body: wireAnswer(await approvals.answer(body.toolCallId, readAnswer(body), body.conversationId, caller)),
  }),
});
