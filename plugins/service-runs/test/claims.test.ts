import { expect } from "chai";
import { AppError } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";
import { Claims } from "../claims.ts";
import type { OtherHosts } from "../other-hosts.ts";
import { RunPlaces } from "../run-places.ts";
import type { RunInProgress } from "../run-in-progress.ts";

const parts = { preferences: { get: () => 1 } } as unknown as Parts;
const alone = { areThere: false } as OtherHosts;
const open = (): Claims => new Claims(parts, alone);
const codeOf = (failed: Promise<unknown>): Promise<unknown> =>
  failed.catch((error: { readonly code?: string }) => error.code);

describe("a conversation", () => {
  it("has one run at a time; whoever comes waits in turn", async () => {
    const claims = open();
    const first = await claims.take("c", 1);
    const order: string[] = [];
    const second = claims.take("c", 5).then((claim) => (order.push("second"), claim));
    await claims.take("another", 0);
    expect(order).to.deep.equal([]);
    first.release();
    (await second).release();
    expect(order).to.deep.equal(["second"]);
  });

  it("is busy for those who do not want to wait", async () => {
    const claims = open();
    await claims.take("c", 1);
    expect(await codeOf(claims.take("c", 0))).to.equal("conversation_busy");
  });

  it("tells at once when its run waits for the person", async () => {
    const claims = open();
    const claim = await claims.take("c", 1);
    claim.run = { pending: ["call_1"] } as unknown as RunInProgress;
    expect(await codeOf(claims.take("c", 60))).to.equal("approval_pending");
  });

  it("is free again where the storage cannot say who has it", async () => {
    const others = {
      areThere: true,
      take: async () => {
        throw new AppError({ code: "storage_unavailable", message: "It is away." });
      },
    } as unknown as OtherHosts;
    const claims = new Claims(parts, others);
    expect(await codeOf(claims.takeIfFree("c"))).to.equal("storage_unavailable");
    await new Promise((resolve) => setImmediate(resolve));
    expect(claims.has("c")).to.equal(false);
  });

  it("can be seized: its run is cancelled first", async () => {
    const claims = open();
    const claim = await claims.take("c", 1);
    let cancelled = false;
    claim.run = {
      pending: [],
      cancel: () => ((cancelled = true), claim.release()),
    } as unknown as RunInProgress;
    await claims.seize("c");
    expect(cancelled).to.equal(true);
  });
});

describe("the places of the host", () => {
  it("are given in turn, and a cancelled run need not wait", async () => {
    const places = new RunPlaces(parts, alone);
    const never = new AbortController();
    const cancelled = new AbortController();
    const order: string[] = [];
    const free = await places.take(never.signal);
    const gone = places.take(cancelled.signal).then((done) => (order.push("cancelled"), done));
    const next = places.take(never.signal).then((done) => (order.push("next"), done));
    cancelled.abort();
    (await gone)();
    expect(order).to.deep.equal(["cancelled"]);
    free();
    (await next)();
    expect(order).to.deep.equal(["cancelled", "next"]);
  });
});
