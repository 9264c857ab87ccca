import { expect } from "chai";
import { approvals, messagesOf, type Outcome, type WireMessage } from "../../support/lab-stage.ts";
import { traceOf } from "./chat.ts";
import { callIdOf, finalText, type Plan } from "./plan.ts";
import type { Counter, Deed, Storm } from "./storm.ts";

const usersText = (plan: Plan): string => JSON.stringify(plan);

/** What must hold as soon as the host is there again, of the deeds and counters that are given. */
export async function checkAfterKill(
  storm: Storm,
  deeds: readonly Deed[],
  titles: readonly Counter[],
  chats: readonly Counter[],
) {
  expect(storm.faults.join("\n")).to.equal("");
  const runs = await storm.runs();
  const resumed = storm.policy === "auto" ? ["running", "waiting"] : [];
  const allowed = ["interrupted", "ended", ...resumed];
  expect(runs.filter(({ status }) => !allowed.includes(status))).to.deep.equal([]);
  for (const deed of deeds) await checkDeed(storm, deed);
  const pending = new Set((await approvals(storm.service)).map(({ toolCallId }) => toolCallId));
  const open = storm.deeds.filter(
    ({ question, answer, ended }) => question !== undefined && answer === undefined && ended !== true,
  );
  expect(open.map(({ question }) => question).filter((id) => !pending.has(id ?? ""))).to.deep.equal([]);
  const answered = storm.deeds.filter(({ answer }) => answer === "acknowledged");
  expect(answered.map(({ question }) => question).filter((id) => pending.has(id ?? ""))).to.deep.equal([]);
  for (const counter of titles) await checkTitle(storm, counter);
  for (const counter of chats) await checkChats(storm, counter);
}

async function checkDeed(
  { service }: Storm,
  { plan, acknowledged, admitted, conversationId }: Deed,
): Promise<void> {
  if (admitted !== undefined)
    expect((await service.json("GET", `/api/runs/${admitted}`)).status).to.equal(200);
  if (!acknowledged && admitted === undefined) return;
  const messages = await messagesOf(service, conversationId);
  const asked = messages.findIndex(({ content }) => content === usersText(plan));
  expect(asked, `${plan.id} was acknowledged`).to.be.at.least(0);
  if (acknowledged)
    expect(messages.slice(asked + 1).find(({ content }) => content === finalText(plan))).to.include({
      role: "assistant",
    });
}

async function checkTitle({ service }: Storm, { id, sent, acknowledged }: Counter): Promise<void> {
  const { status, body } = await service.json<{ title: string }>("GET", `/v1/conversations/${id}`);
  if (acknowledged === 0 && status === 404) return;
  expect(Number(body.title.split(" ").at(-1)), `the title of ${id}`).to.be.within(
    Math.max(1, acknowledged),
    sent,
  );
}

/** Messages and answers take turns, each is there once, and none is missing that was acknowledged. */
async function checkChats({ service }: Storm, { id, sent, acknowledged }: Counter): Promise<void> {
  if (acknowledged === 0) return;
  const { body } = await service.json<{ messages: WireMessage[]; messageCount: number }>(
    "GET",
    `/v1/conversations/${id}`,
  );
  expect(body.messageCount).to.equal(body.messages.length);
  expect(body.messages.length).to.be.within(2 * acknowledged, 2 * sent);
  const plans = Array.from({ length: sent }, (_, index): Plan => ({ id: `${id}-${index + 1}` }));
  const expected = plans.flatMap((plan) => [usersText(plan), finalText(plan)]).slice(0, body.messages.length);
  expect(body.messages.map(({ content }) => content)).to.deep.equal(expected);
}

const codesFor: Readonly<Record<string, readonly (string | undefined)[]>> = {
  once: [undefined, "outcome_unknown", "cancelled"],
  repeat: [undefined, "outcome_unknown", "cancelled"],
  reconcile: [undefined, "outcome_unknown", "cancelled"],
  look: [undefined, "cancelled"],
  ask: [undefined, "outcome_unknown", "cancelled", "denied"],
};

/**
 * What must hold at the end, when every run has ended: each call has one result that is true, and its effect
 * is not doubled.
 */
export async function checkEffects(
  storm: Storm,
): Promise<{ readonly calls: number; readonly doubtful: number }> {
  let [calls, doubtful] = [0, 0];
  const conversations = new Map<string, readonly WireMessage[]>();
  for (const { plan, conversationId } of storm.deeds) {
    const messages = conversations.get(conversationId) ?? (await historyOf(storm, conversationId));
    conversations.set(conversationId, messages);
    for (const [turn, list] of (plan.turns ?? []).entries())
      for (const [index, { operation = "" }] of list.entries()) {
        const code = checkCall(storm, messages, callIdOf(plan, turn + 1, index + 1), operation);
        calls += code === "none" ? 0 : 1;
        doubtful += code === "outcome_unknown" ? 1 : 0;
      }
  }
  return { calls, doubtful };
}

/** The messages of a conversation; every call in them has exactly one result. */
async function historyOf({ service }: Storm, conversationId: string): Promise<readonly WireMessage[]> {
  const { status, body } = await service.json<{ messages: WireMessage[] }>(
    "GET",
    `/v1/conversations/${conversationId}`,
  );
  const messages = status === 200 ? body.messages : [];
  const asked = messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id));
  expect(messages.flatMap(({ toolCallId = [] }) => toolCallId).toSorted(), conversationId).to.deep.equal(
    asked.toSorted(),
  );
  return messages;
}

const isToldAsUntouched = ({ error_code: code, error = "" }: Outcome): boolean =>
  code === "denied" || (code === "cancelled" && !error.includes("while it ran"));

function checkCall(
  { service }: Storm,
  messages: readonly WireMessage[],
  callId: string,
  operation: string,
): string | undefined {
  const { begin, effect, end } = traceOf(service, callId);
  const said = messages.find(({ toolCallId }) => toolCallId === callId);
  if (said === undefined) {
    // What only reads may begin before the message that asks for it is durable.
    if (operation !== "look")
      expect({ begin, effect, end }, `${callId} left no result`).to.deep.equal({
        begin: 0,
        effect: 0,
        end: 0,
      });
    return "none";
  }
  const outcome = JSON.parse(said.content ?? "") as Outcome;
  const code = outcome.error_code;
  expect(codesFor[operation], callId).to.include(code);
  if (operation !== "repeat" && operation !== "look")
    expect(effect, `${callId}: ${code ?? "done"}`).to.be.at.most(1);
  if (code === undefined) expect(effect, callId).to.be.at.least(1);
  if (operation !== "look" && isToldAsUntouched(outcome)) expect(begin, `${callId}: ${code}`).to.equal(0);
  return code;
}
