import { expect } from "chai";
import { AppError, outcomeOf, type LiveRun, type RunOutcome } from "@pergola/sdk";

const ending = (error: AppError | null, more: Partial<RunOutcome> = {}): LiveRun =>
  ({
    firstActivity: Promise.resolve(),
    done: Promise.resolve({ run: { id: "run_1", status: "ended" }, text: "", error, ...more }),
  }) as unknown as LiveRun;

const codeOf = (live: LiveRun): Promise<unknown> =>
  outcomeOf(live).then(
    ({ error }) => error?.code,
    ({ code }: AppError) => `thrown: ${code}`,
  );
const failed = (code: string): AppError => new AppError({ code, message: "It failed.", retryAfter: 1 });

describe("the outcome of a run that fails behind its first sign of life", () => {
  it("is thrown where the storage was away, and an answer with the error otherwise", async () => {
    expect(await codeOf(ending(null))).to.equal(undefined);
    expect(await codeOf(ending(failed("provider_unavailable")))).to.equal("provider_unavailable");
    expect(await codeOf(ending(failed("storage_unavailable")))).to.equal("thrown: storage_unavailable");
    expect(await codeOf(ending(failed("conflict"), { storageFailed: true }))).to.equal("thrown: conflict");
  });
});
