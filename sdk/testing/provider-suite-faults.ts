import { messageOf } from "@pergola/sdk";
import { checkRule, demand, within, type Rule } from "./conformance/rule.ts";
import { collectEvents, textOfEvents } from "./collect-events.ts";
import type { ProviderStage } from "./provider-stage.ts";

const limit = 5000;

/** A call whose answer nobody reads must not hold another of the same provider. */
async function holdsNobody(stage: ProviderStage): Promise<void> {
  const unread = (await stage.play([{ text: "One" }, { text: "two" }]))[Symbol.asyncIterator]();
  await unread.next();
  const { events, error } = await within(limit, collectEvents(stage.again()), "A call beside one that waits");
  await unread.return?.();
  demand(error === undefined, `A call beside one that waits failed: ${messageOf(error)}`);
  demand(textOfEvents(events) !== "", "A call beside one that waits got no text.");
}

async function takesSizes(stage: ProviderStage): Promise<void> {
  const pieces = Array.from({ length: 16 }, (_, index) => `${index} `.repeat(2 ** 14));
  const { events, error } = await collectEvents(await stage.play({ text: pieces }));
  const text = textOfEvents(events);
  demand(
    error === undefined,
    `An answer of ${pieces.join("").length} characters failed: ${messageOf(error)}`,
  );
  demand(
    text === pieces.join(""),
    `Of an answer of ${pieces.join("").length} characters ${text.length} came, or others.`,
  );
}

async function opensAgain(stage: ProviderStage): Promise<void> {
  for (const text of ["Before", "After"]) {
    const { events, error } = await collectEvents(await stage.play({ text }));
    const got = error === undefined ? textOfEvents(events) : messageOf(error);
    demand(got === text, `Opened again after it was closed, it gave "${got}".`);
    await stage.close();
  }
}

/** What every provider whose source can be scripted must do under faults, beside how it fails and stops. */
export const providerFaultRules: readonly Rule<ProviderStage>[] = [
  { name: "slow", title: "answers a call while nobody reads another", check: holdsNobody },
  { name: "huge output", title: "hands on a long answer whole", check: takesSizes },
  { name: "restart", title: "answers again when it is opened after a close", check: opensAgain },
];

/** The same as a part of `describeProvider`. */
export function describeProviderFaults(stage: ProviderStage): void {
  for (const rule of providerFaultRules)
    it(`${rule.name}: ${rule.title}`, () => checkRule(rule, stage)).timeout(30_000);
}
