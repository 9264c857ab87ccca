import type { InputRequiredResult } from "@modelcontextprotocol/server";
import type { Caller, Services } from "@pergola/sdk";
import { CallInRounds } from "./call-in-rounds.ts";
import { callTool, type CallAnswer } from "./call-tool.ts";
import type { Form, FormAnswer } from "./client.ts";
import { elicitationOf, formAnswerOf } from "./forms.ts";
import { canAsk, nameOf, progressOf, traceOf, type Protocol, type RequestedCall } from "./open-server.ts";
import type { WaitingCalls } from "./waiting-calls.ts";

export interface CallParts {
  readonly protocol: Protocol;
  readonly services: Services;
  readonly waiting: WaitingCalls;
}

/**
 * Answers a request to call a tool. The first one begins the call; where the call asks, the request ends with
 * the questions, and the next one, which has the answers and the state, goes on with the same call. Throws
 * ProtocolError for a state that leads to no call.
 */
export async function answerCall(
  { protocol, services, waiting }: CallParts,
  { name, args, context, server }: RequestedCall,
  caller: Caller,
): Promise<CallAnswer | InputRequiredResult> {
  const { inputResponses, requestState, signal } = context.mcpReq;
  const origin = { caller, name, args };
  const facts = { caller, client: nameOf(server), trace: traceOf(context) };
  const begin = (): CallInRounds =>
    new CallInRounds((call) => callTool(name, args, services, { ...call, ...facts }), canAsk(server));
  const state = requestState<string>();
  const call = state === undefined ? begin() : waiting.take(state, origin);
  if (call === undefined) throw unknownState(protocol);
  if (state !== undefined) call.answer((key) => replyTo(key, inputResponses, protocol));
  const outcome = await call.next({ signal, progress: progressOf(context) });
  if ("answer" in outcome) return outcome.answer;
  return inputRequired(outcome.questions, waiting.keep(call, origin), protocol);
}

/** As the package words it for states that it checks itself. */
const unknownState = ({ ProtocolError, ProtocolErrorCode }: Protocol): Error =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid or expired requestState", {
    reason: "invalid_request_state",
  });

function replyTo(
  key: string,
  responses: Readonly<Record<string, unknown>> | undefined,
  { inputResponse }: Protocol,
): FormAnswer | undefined {
  const reply = inputResponse(responses, key);
  return reply.kind === "elicit" ? formAnswerOf(reply) : undefined;
}

function inputRequired(
  questions: ReadonlyMap<string, Form>,
  requestState: string,
  { inputRequired: build }: Protocol,
): InputRequiredResult {
  const requests = [...questions].map(([key, form]) => [key, build.elicit(elicitationOf(form))] as const);
  return build({ inputRequests: Object.fromEntries(requests), requestState });
}
