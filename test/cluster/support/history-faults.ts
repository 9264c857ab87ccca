import type { Message, Write } from "@pergola/sdk";
import type { StoredApproval } from "@pergola/sdk/host";

/** What only the host that works in a conversation writes: anybody may bring an answer. */
export const isWorks = (write: Write): boolean => {
  if (!("put" in write)) return false;
  if (write.collection === "approvals") return (write.put as StoredApproval).status !== "answered";
  return worksOwn.includes(write.collection);
};

const worksOwn = [
  "messages",
  "calls",
  "results",
  "run_events",
  "run_steps",
  "runs",
  "conversations",
  "memories",
  "tool-lab/records",
  "policy-noting/last",
];

/** A history has numbers without gaps, each message below the one before, and one result for each call. */
export function brokenIn(messages: readonly Message[]): readonly string[] {
  const faults: string[] = [];
  for (const [at, { seq, parentMessageId }] of messages.entries()) {
    if (seq !== at + 1) faults.push(`message ${at + 1} has the number ${seq}`);
    if ((parentMessageId ?? null) !== (messages[at - 1]?.id ?? null))
      faults.push(`message ${seq} is out of place`);
  }
  for (const { id } of messages.flatMap(({ toolCalls }) => toolCalls ?? [])) {
    const results = messages.filter(({ toolCallId }) => toolCallId === id).length;
    if (results !== 1) faults.push(`the call ${id} has ${results} results`);
  }
  return faults;
}
