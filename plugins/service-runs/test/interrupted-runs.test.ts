import { expect } from "chai";
import { AppError } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";
import { toolContext } from "@pergola/sdk/testing";
import type { Agents } from "../agents.ts";
import type { Claims } from "../claims.ts";
import { InterruptedRuns } from "../interrupted-runs.ts";
import type { RunInProgress } from "../run-in-progress.ts";

const conversationId = "garden";

interface Scene {
  readonly place: string;
  readonly isAtWork?: boolean;
  /** So often the storage cannot be reached. */
  readonly away?: number;
  /** How many runs there are, each in a conversation of its own. */
  readonly count?: number;
}

interface RunsFilter {
  readonly id?: { readonly in: readonly string[] };
}

/** What a host that is called `north` does about a run that another one has left. */
function scene({ place, isAtWork = false, away = 0, count = 1 }: Scene) {
  const seen: string[] = [];
  let resumed: () => void = () => undefined;
  const isResumed = new Promise<void>((resolve) => (resumed = resolve));
  let failures = away;
  let read = 0;
  const all = Array.from({ length: count }, (_, at) => ({
    id: `run_${at + 1}`,
    conversationId: at === 0 ? conversationId : `other ${at}`,
    parentRunId: null,
    status: "running",
    createdAt: "2026-01-01T00:00:00.000Z",
    request: {},
  }));
  const run = { ...all[0], status: "interrupted" };
  const stores = {
    commit: async () => void seen.push("store"),
    storage: { hosts: { label: "north" } },
    conversations: { get: async () => ({ host: place }) },
    runs: {
      get: async () => undefined,
      find: async ({ id }: RunsFilter) => {
        seen.push("look");
        if (failures-- > 0) throw new AppError({ code: "storage_unavailable", message: "It is away." });
        const found = all.filter((one) => id?.in.includes(one.id) ?? true);
        read += found.length;
        return found;
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
  /** This host could not store the run, and works on it no more. */
  const leave = (failed: Partial<RunInProgress>): void =>
    runs.leave({ id: "run_1", conversationId, record: run, isInterrupted: false, ...failed } as never, {
      released: Promise.resolve(),
    });
  return { runs, seen, isResumed, leave, countRead: () => read };
}

const isAway = new AppError({ code: "storage_unavailable", message: "It is away.", retryAfter: 1 });

describe("a run that a host has left which is gone", () => {
  it("goes on by the claim by which it was taken", async () => {
    const { runs, seen, isResumed } = scene({ place: "north" });
    await runs.takeFrom([conversationId]);
    await isResumed;
    const settled = ["look", "take", "look", "store"];
    expect(seen.slice(0, 5)).to.deep.equal([...settled, "resume with garden"]);
  });

  it("is read twice, however many others there are", async () => {
    const { runs, countRead } = scene({ place: "north", count: 30 });
    await runs.recover();
    expect(countRead()).to.equal(60);
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

describe("a run that this host could not store", () => {
  it("goes on once the storage answers", async () => {
    const { seen, isResumed, leave } = scene({ place: "north", away: 1 });
    const lasting = setInterval(() => undefined, 1000);
    leave({ failure: isAway });
    await isResumed.finally(() => clearInterval(lasting));
    expect(seen).to.include("resume with garden");
  });

  it("is left to people where it fails again and again, and where another host has it", async () => {
    const { seen, leave } = scene({ place: "north" });
    for (let times = 0; times < 5; times += 1) {
      leave({ failure: isAway });
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(seen.filter((what) => what.startsWith("resume"))).to.have.lengthOf(3);
    const lost = scene({ place: "north" });
    lost.leave({ failure: isAway, isInterrupted: true });
    await new Promise((resolve) => setImmediate(resolve));
    expect(lost.seen).to.deep.equal([]);
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
