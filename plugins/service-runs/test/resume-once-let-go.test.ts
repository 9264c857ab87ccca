import { expect } from "chai";
import type { Parts } from "@pergola/sdk/host";
import { toolContext } from "@pergola/sdk/testing";
import type { OtherHosts } from "../other-hosts.ts";
import { resumeOnceLetGo } from "../resume-once-let-go.ts";

/** What comes of a run whose conversation another host has for so many looks, with these states in turn. */
async function resumed(looks: number, statuses: readonly (string | undefined)[]): Promise<readonly string[]> {
  const calls: string[] = [];
  let at = 0;
  const parts = {
    log: toolContext().log,
    stores: {
      runs: {
        get: async () => {
          const status = statuses[Math.min(at, statuses.length - 1)];
          return status && { conversationId: "c", status };
        },
      },
    },
    runs: { resumeAfterAnswer: async (id: string) => void calls.push(id) },
  } as unknown as Parts;
  await resumeOnceLetGo(parts, { has: async () => ++at < looks } as unknown as OtherHosts, "run_1");
  return calls;
}

describe("a run whose conversation another host has", () => {
  it("is taken up once that host has settled it and let it go", async () => {
    expect(await resumed(3, ["waiting", "interrupted"])).to.deep.equal(["run_1"]);
  });

  it("is left to that host where it works on it", async () => {
    expect(await resumed(99, ["waiting", "waiting", "running"])).to.deep.equal([]);
    expect(await resumed(99, ["interrupted", "queued"])).to.deep.equal([]);
  });

  it("is left alone where it has ended or is gone", async () => {
    expect(await resumed(99, ["ended"])).to.deep.equal([]);
    expect(await resumed(99, [undefined])).to.deep.equal([]);
  });
});
