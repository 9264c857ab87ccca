import { expect } from "chai";
import { AppError } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";
import { toolContext } from "@pergola/sdk/testing";
import type { Agents } from "../agents.ts";
import type { Claims } from "../claims.ts";
import { InterruptedRuns } from "../interrupted-runs.ts";

const conversationId = "garden";

interface Scene {
  readonly place: string;
  readonly isAtWork?: boolean;
  /** So often the storage cannot be reached. */
  readonly away?: number;
}

/** What a host that is called `north` does about a run that another one has left. */
function scene({ place, isAtWork = false, away = 0 }: Scene) {
  const seen: string[] = [];
  let resumed: () => void = () => undefined;
  const isResumed = new Promise<void>((resolve) => (resumed = resolve));
  let failures = away;
  const run = { id: "run_1", conversationId, parentRunId: null, status: "interrupted", request: {} };
  const stores = {
    commit: async () => void seen.push("store"),
    storage: { hosts: { label: "north" } },
    conversations: { get: async () => ({ host: place }) },
    runs: {
      get: async () => undefined,
      find: async () => {
        seen.push("look");
        if (failures-- > 0) throw new AppError({ code: "storage_unavailable", message: "It is away." });
        return [run];
      },
    },
  };
  const get = (key: string): unknown => (key === "runs.resume" ? "auto" : false);
  const parts = { log: toolContext().log, preferences: { get }, stores } as unknown as Parts;
  const claims = {
    take: async () => {
      throw new AppError({ code: "approval_pending", message: "It waits for an answer of the person." });
    },
    takeIfFree: async () => {
      seen.push("take");
      return { released: Promise.resolve(), release: () => void seen.push("release") };
    },
  } as unknown as Claims;
  const runs = new InterruptedRuns(parts, {
    agents: {} as Agents,
    claims,
    isAtWork: () => isAtWork,
    cancel: async (id) => {
      seen.push(`cancel ${id}`);
      return run as never;
    },
    get: async () => run as never,
    isStopping: () => false,
    resume: async (_, held) => {
      seen.push(`resume with ${[...held.keys()].join()}`);
      held.clear();
      resumed();
    },
  });
  return { runs, seen, isResumed };
}

describe("a run that a host has left which is gone", () => {
  it("goes on by the claim by which it was taken", async () => {
    const { runs, seen, isResumed } = scene({ place: "north" });
    await runs.takeFrom([conversationId]);
    await isResumed;
    const settled = ["look", "take", "look", "store", "look"];
    expect(seen.slice(0, 6)).to.deep.equal([...settled, "resume with garden"]);
  });

  it("is left to the place of its files, and is not looked at again and again", async () => {
    const { runs, seen } = scene({ place: "south" });
    for (let times = 0; times < 3; times += 1) await runs.takeFrom([conversationId]);
    expect(seen).to.deep.equal(["look"]);
  });

  it("is left alone while this host still ends its own part in it", async () => {
    const { runs, seen } = scene({ place: "north", isAtWork: true });
    await runs.takeFrom([conversationId]);
    await runs.takeFrom([conversationId]);
    expect(seen).to.deep.equal(["look", "look"]);
  });

  it("is taken later where the storage cannot be reached", async () => {
    const { runs, seen, isResumed } = scene({ place: "north", away: 2 });
    const lasting = setInterval(() => undefined, 1000);
    await runs.takeFrom([conversationId]);
    expect(seen).to.deep.equal(["look"]);
    await isResumed.finally(() => clearInterval(lasting));
    expect(seen).to.include("resume with garden");
  });
});

describe("an interrupted run that is to be cancelled", () => {
  it("is cancelled where this host resumes it meanwhile, though it waits for the person by then", async () => {
    const { runs, seen } = scene({ place: "north", isAtWork: true });
    await runs.cancel("run_1");
    expect(seen).to.deep.equal(["cancel run_1"]);
  });

  it("is refused where another run of the conversation waits for the person", async () => {
    const { runs, seen } = scene({ place: "north" });
    const code = await runs.cancel("run_1").catch((error: AppError) => error.code);
    expect([code, seen]).to.deep.equal(["approval_pending", []]);
  });
});
