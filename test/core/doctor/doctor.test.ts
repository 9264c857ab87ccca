import { expect } from "chai";
import type { Log } from "@pergola/sdk";
import { Doctor, type DoctorOptions } from "../../../core/doctor/doctor.ts";
import { ok, said } from "../../../core/doctor/findings.ts";
import type { Check } from "../../../core/doctor/run-checks.ts";
import { fault as appError } from "../../../core/fault.ts";

const found = (id: string): Check => ({ id, what: id, look: () => [ok({ id, what: id, detail: "fine" })] });

describe("the doctor", () => {
  const logged: object[] = [];
  const log = { warn: (fields: object) => void logged.push(fields) } as unknown as Log;
  const open = (checks: readonly Check[], more: Partial<DoctorOptions> = {}): Doctor =>
    new Doctor(checks, { log, timestamp: () => "now", redactJson: (value) => value, limit: 50, ...more });
  beforeEach(() => void logged.splice(0));

  it("keeps the order of the checks, and puts a fault in place of one that fails or hangs", async () => {
    let isLeft = false;
    const hangs = (signal: AbortSignal): Promise<never> =>
      new Promise(() => signal.addEventListener("abort", () => (isLeft = true)));
    const { findings } = await open([
      found("a"),
      { id: "hangs", what: "Hangs", look: hangs },
      {
        id: "throws",
        what: "Throws",
        look: () => {
          throw new Error("secret details");
        },
      },
      {
        id: "refuses",
        what: "Refuses",
        look: async () => {
          throw appError("not_found", "There is none.");
        },
      },
      found("z"),
    ]).check();
    expect(findings.map(({ id, level, detail }) => [id, level, detail])).to.deep.equal([
      ["a", "ok", "fine"],
      ["hangs", "fault", "this check did not end in time"],
      ["throws", "fault", "this check failed"],
      ["refuses", "fault", "There is none."],
      ["z", "ok", "fine"],
    ]);
    expect(isLeft).to.equal(true);
    expect(logged.map((fields) => (fields as { check: string }).check).sort()).to.deep.equal([
      "hangs",
      "refuses",
      "throws",
    ]);
  });

  it("looks once for all who ask meanwhile, and anew for who asks later", async () => {
    let looks = 0;
    const doctor = open([
      { id: "a", what: "A", look: () => [ok({ id: "a", what: "A", detail: `${++looks}` })] },
    ]);
    const [one, other] = await Promise.all([doctor.check(), doctor.check()]);
    expect(other).to.equal(one);
    expect(looks).to.equal(1);
    expect((await doctor.check()).findings[0]?.detail).to.equal("2");
  });

  it("says detail and remedy in one line", () => {
    expect(said({ detail: "It is so.", remedy: "Do this." })).to.equal("It is so. Do this.");
    expect(said({ detail: "it is so", remedy: "do this" })).to.equal("it is so; do this");
    expect(said({ detail: "it is so", remedy: null })).to.equal("it is so");
    expect(said({ detail: "", remedy: "do this" })).to.equal("do this");
  });
});
