import { expect } from "chai";
import { AppError } from "@pergola/sdk";
import { checkCron, countDue, nextAfter, timeOf, zoneOf } from "../timing.ts";

const vienna = { at: null, timeZone: "Europe/Vienna" };
const at = (time: string): number => Date.parse(time);

function faultOf(work: () => unknown): readonly unknown[] {
  try {
    return ["none", work()];
  } catch (error) {
    if (!AppError.is(error)) throw error;
    return [error.code, error.param, error.message];
  }
}

describe("feature-schedules: times", () => {
  const starts = (cron: string, from: string, count: number): readonly (string | null)[] => {
    const found: (string | null)[] = [];
    for (let moment = from; found.length < count;) {
      const next = nextAfter({ ...vienna, cron }, at(moment));
      found.push(next);
      if (next === null) break;
      moment = next;
    }
    return found;
  };

  it("keep to the clock on the wall when daylight saving begins and ends", () => {
    expect(starts("0 7 * * *", "2027-03-27T00:00Z", 2)).to.deep.equal([
      "2027-03-27T06:00:00.000Z",
      "2027-03-28T05:00:00.000Z",
    ]);
    expect(starts("0 7 * * *", "2027-10-30T00:00Z", 2)).to.deep.equal([
      "2027-10-30T05:00:00.000Z",
      "2027-10-31T06:00:00.000Z",
    ]);
  });

  it("leave no day out where the clock jumps over the time, and start once where it comes twice", () => {
    const spring = starts("30 2 * * *", "2027-03-27T12:00Z", 2);
    expect(spring).to.deep.equal(["2027-03-28T01:00:00.000Z", "2027-03-29T00:30:00.000Z"]);
    const autumn = starts("30 2 * * *", "2027-10-30T12:00Z", 2);
    expect(autumn).to.deep.equal(["2027-10-31T00:30:00.000Z", "2027-11-01T01:30:00.000Z"]);
  });

  it("are those of the zone, whatever the computer's is", () => {
    const there = { at: null, timeZone: "Asia/Kolkata", cron: "0 9 * * 1" };
    expect(nextAfter(there, at("2026-11-28T00:00Z"))).to.equal("2026-11-30T03:30:00.000Z");
    expect(timeOf("2027-01-31T07:00", "Europe/Vienna", 0)).to.equal("2027-01-31T06:00:00.000Z");
    expect(timeOf("2027-07-31T07:00:30", "Europe/Vienna", 0)).to.equal("2027-07-31T05:00:30.000Z");
    expect(timeOf("2027-01-31T07:00+02:00", "Europe/Vienna", 0)).to.equal("2027-01-31T05:00:00.000Z");
    expect(timeOf("2027-01-31T07:00:00Z", "Europe/Vienna", 0)).to.equal("2027-01-31T07:00:00.000Z");
  });

  it("count what was due meanwhile, a thousand at most", () => {
    const hourly = { ...vienna, cron: "0 * * * *" };
    expect(countDue(hourly, at("2027-01-01T00:00Z"), at("2027-01-01T05:00Z"))).to.equal(5);
    expect(countDue(hourly, at("2027-01-01T00:00Z"), at("2027-01-01T00:59Z"))).to.equal(0);
    expect(countDue({ ...vienna, cron: "* * * * *" }, 0, at("2027-01-01T00:00Z"))).to.equal(1000);
    const once = { cron: null, at: "2027-01-01T00:00:00.000Z", timeZone: "UTC" };
    expect(countDue(once, 0, at("2028-01-01T00:00Z"))).to.equal(0);
    expect(nextAfter(once, at("2026-01-01T00:00Z"))).to.equal(once.at);
    expect(nextAfter(once, at(once.at))).to.equal(null);
  });

  it("are refused by name where they mean nothing", () => {
    expect(zoneOf("europe/vienna")).to.equal("Europe/Vienna");
    expect(faultOf(() => zoneOf("Moon/Crater")).slice(0, 2)).to.deep.equal(["invalid_value", "timeZone"]);
    for (const cron of ["", "0 7 * *", "0 0 7 * * *", "61 * * * *", "every day", "0 7 30 2 *"])
      expect(faultOf(() => checkCron(cron, "UTC", 0)).slice(0, 2), cron).to.deep.equal([
        "invalid_value",
        "cron",
      ]);
    expect(faultOf(() => checkCron("61 * * * *", "UTC", 0))[2]).to.match(
      /^cron: "61 \* \* \* \*" cannot be read: .*[^.]\. It takes five fields/,
    );
    for (const cron of ["@daily", "*/5 * * * *", "0 7 * * MON-FRI", "0 0 29 2 *"])
      expect(faultOf(() => checkCron(cron, "UTC", 0))[0], cron).to.equal("none");
    for (const time of ["tomorrow", "2027-13-01T00:00", "2027-02-30T00:00Z", "2026-01-01T00:00Z", "07:00"])
      expect(faultOf(() => timeOf(time, "UTC", at("2026-11-28T00:00Z"))).slice(0, 2), time).to.deep.equal([
        "invalid_value",
        "at",
      ]);
  });
});
