import { expect } from "chai";
import { decide, linked, read, touched, wd, write } from "./calls.ts";

const folder = {
  requestedPath: "/topics/garden",
  real: "/private/topics/garden",
  place: "outside",
  exists: true,
} as const;
const kept = { readOnly: folder };
const inside = linked("plan.txt", "/private/topics/garden/plan.txt", "inside", "write");

describe("a folder that may only be read", () => {
  it("is not written to, whatever the preferences say and whoever calls", () => {
    for (const facts of [
      { paths: [inside] },
      { paths: [touched("own.txt", "write"), inside] },
      { paths: [{ ...inside, effect: "destructive" as const }] },
    ])
      for (const who of [{}, { userInitiated: true }]) {
        const verdict = decide({ ...kept, ...facts }, { auto_approve: ["write", "destructive"] }, who);
        expect(verdict).to.include({ decision: "deny", code: "permission_denied" });
      }
  });

  it("is read, and what lies beside it is written", () => {
    expect(decide({ ...kept, ...read("plan.txt"), paths: [{ ...inside, effect: "read" }] })).to.deep.equal({
      decision: "allow",
    });
    expect(decide({ ...kept, ...write("own.txt") })).to.deep.equal({ decision: "allow" });
    const beside = linked("x", "/private/topics/gardening/plan.txt", "inside", "write");
    expect(decide({ ...kept, paths: [beside] })).to.deep.equal({ decision: "allow" });
  });

  it("is not worked in by a call that names no path of its own", () => {
    const there = { ...kept, workingDirectory: folder.requestedPath };
    for (const effect of ["write", "destructive", "execute"] as const)
      expect(decide({ ...there, effect }).decision).to.equal("deny");
    expect(decide({ ...there, effect: "execute", paths: [touched("/tmp/in", "read")] }).decision).to.equal(
      "deny",
    );
    expect(
      decide({ ...there, effect: "execute", paths: [touched("/tmp/out", "execute")] }).decision,
    ).to.equal("ask");
    expect(decide({ ...there, effect: "write", place: "own" })).to.deep.equal({ decision: "allow" });
    expect(decide({ ...there, effect: "read" })).to.deep.equal({ decision: "allow" });
    expect(decide({ ...kept, effect: "execute", workingDirectory: wd }).decision).to.equal("ask");
  });
});
