import { answerProperties, readAnswer, wireAnswer, type FromProperties, type Route } from "@pergola/sdk";
import { approvalParameter } from "./get-approval.ts";

export const answerApproval: Route = {
  method: "POST",
  path: "/api/approvals/{id}",
  summary: "Answer a question; the first answer counts",
  params: approvalParameter,
  body: { type: "object", properties: answerProperties },
  response: {
    type: "object",
    properties: {
      success: { const: true },
      toolCallId: { type: "string" },
      conversationId: { type: "string" },
      status: { const: "answered" },
      decision: { enum: ["approved", "denied", "text"] },
      message: { type: "string" },
    },
  },
  async handle({ params, body }, { approvals }) {
    const given = body as FromProperties<typeof answerProperties, never>;
    return {
      body: wireAnswer(await approvals.answer(params["id"] ?? "", readAnswer(given), given.conversationId)),
    };
  },
};
