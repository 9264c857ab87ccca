import { expect } from "chai";
import type { LiveRun, RunEvent, RunOutcome } from "@pergola/sdk";
import { fakeServices } from "@pergola/sdk/testing";
import { streamResponse, wholeResponse } from "../follow-response.ts";

const outcome = {
  run: {
    completionReason: "workflow_complete",
    usage: { promptTokens: 1, completionTokens: 1 },
    endedAt: "2026-01-01T00:00:01.000Z",
  },
  answeredBy: null,
  finishReason: "stop",
  error: null,
  warnings: [],
} as unknown as RunOutcome;

const live = {
  id: `run_${"0".repeat(32)}`,
  conversationId: "c",
  record: {
    createdAt: "2026-01-01T00:00:00.000Z",
    status: "running",
    annotations: { response: { store: false } },
  },
  model: { modelId: "custom/test" },
  firstActivity: Promise.resolve(),
  done: Promise.resolve(outcome),
  async *events() {
    const events: readonly RunEvent[] = [
      { type: "text", text: "Yes." },
      { type: "end", outcome },
    ];
    for (const [number, event] of events.entries()) yield { number, event };
  },
} as unknown as LiveRun;

const services = fakeServices({ preferences: { get: () => true as never } });

describe("a response whose conversation is to be removed", () => {
  for (const [how, follow] of Object.entries({
    "in a stream": async (settled: Promise<void>) => {
      const names: (string | undefined)[] = [];
      for await (const { event } of streamResponse(live, services, { settled })) names.push(event);
      return names.at(-1);
    },
    "as JSON": async (settled: Promise<void>) =>
      (await wholeResponse(live, settled, { preferences: { get: () => 0 as never } as never })) as object,
  })) {
    it(`is not acknowledged before it is, ${how}`, async () => {
      let [settle, isOver] = [(): void => undefined, false];
      const followed = follow(new Promise<void>((resolve) => (settle = resolve)));
      void followed.then(() => (isOver = true));
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(isOver).to.equal(false);
      settle();
      const last = await followed;
      expect(typeof last === "object" ? (last as { readonly status: string }).status : last).to.match(
        /completed$/,
      );
    });

    it(`fails when it cannot be, ${how}`, async () => {
      const failure = await follow(Promise.reject(new Error("storage"))).catch((error: unknown) => error);
      expect(failure).to.have.property("message", "storage");
    });
  }
});
