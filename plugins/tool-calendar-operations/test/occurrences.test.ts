import { expect } from "chai";
import { listEvents } from "../operations/list-events.ts";
import { searchEvents } from "../operations/search-events.ts";
import { calendar, event, ids, scene, starts } from "./scene.ts";

const list = async (days: number, ...all: readonly string[]): Promise<string> =>
  scene({ "Work.ics": calendar(...all) }).run(listEvents, { days_ahead: days });

describe("occurrences of events", () => {
  it("keeps a weekly meeting at its wall-clock time over the change to summer time", async () => {
    const data = await list(
      35,
      ...event("a", "SUMMARY:Weekly", "DTSTART;TZID=Europe/Berlin:20260105T090000", "RRULE:FREQ=WEEKLY"),
    );
    expect(starts(data)).to.deep.equal([
      "2026-03-02T09:00+01:00",
      "2026-03-09T09:00+01:00",
      "2026-03-16T09:00+01:00",
      "2026-03-23T09:00+01:00",
      "2026-03-30T09:00+02:00",
      "2026-04-06T09:00+02:00",
    ]);
  });

  it("shows a meeting of another zone on the person's clocks, which part from it between the two changes", async () => {
    const data = await list(
      14,
      ...event("a", "DTSTART;TZID=America/New_York:20260302T090000", "RRULE:FREQ=WEEKLY"),
    );
    expect(starts(data)).to.deep.equal([
      "2026-03-02T15:00+01:00",
      "2026-03-09T14:00+01:00",
      "2026-03-16T14:00+01:00",
    ]);
  });

  it("leaves out excluded dates, in the event's zone, in UTC and as whole days", async () => {
    const rule = ["DTSTART;TZID=Europe/Berlin:20260302T090000", "RRULE:FREQ=DAILY;COUNT=5"];
    const without = [
      "EXDATE;TZID=Europe/Berlin:20260303T090000",
      "EXDATE:20260304T080000Z",
      "EXDATE;VALUE=DATE:20260305",
    ];
    expect(starts(await list(7, ...event("a", ...rule, ...without)))).to.deep.equal([
      "2026-03-02T09:00+01:00",
      "2026-03-06T09:00+01:00",
    ]);
  });

  it("adds the dates that RDATE names", async () => {
    const dates = "RDATE;TZID=Europe/Berlin:20260304T180000,20260305T180000";
    const data = await list(7, ...event("a", "DTSTART;TZID=Europe/Berlin:20260303T090000", dates));
    expect(starts(data)).to.deep.equal([
      "2026-03-03T09:00+01:00",
      "2026-03-04T18:00+01:00",
      "2026-03-05T18:00+01:00",
    ]);
  });

  it("puts a changed occurrence at its new time, also when it moved into the range from outside", async () => {
    const series = event(
      "a",
      "SUMMARY:Old",
      "DTSTART;TZID=Europe/Berlin:20260303T090000",
      "RRULE:FREQ=WEEKLY",
    );
    const moved = event(
      "a",
      "SUMMARY:Moved",
      "RECURRENCE-ID;TZID=Europe/Berlin:20260303T090000",
      "DTSTART;TZID=Europe/Berlin:20260304T110000",
    );
    const early = event(
      "a",
      "SUMMARY:Early",
      "RECURRENCE-ID;TZID=Europe/Berlin:20260505T090000",
      "DTSTART;TZID=Europe/Berlin:20260306T070000",
    );
    const data = await list(5, ...series, ...moved, ...early);
    expect(starts(data)).to.deep.equal(["2026-03-04T11:00+01:00", "2026-03-06T07:00+01:00"]);
    expect(ids(data)).to.deep.equal(["a#20260303T080000Z", "a#20260505T070000Z"]);
  });

  it("knows whole days, whose end in a file is the day after", async () => {
    const data = await list(
      7,
      ...event("a", "SUMMARY:Fair", "DTSTART;VALUE=DATE:20260304", "DTEND;VALUE=DATE:20260306"),
    );
    expect(data).to.contain(
      "- Start: 2026-03-04 (Wednesday), all day\n- End: 2026-03-05 (Thursday), all day",
    );
  });

  it("repeats a birthday on 29 February in leap years only", async () => {
    const rule = ["SUMMARY:Leap", "DTSTART;VALUE=DATE:20240229", "RRULE:FREQ=YEARLY"];
    const data = await list(1000, ...event("a", ...rule));
    expect(starts(data)).to.deep.equal(["2028-02-29"]);
  });

  it("ends a series where UNTIL says, in UTC or as a date", async () => {
    const utc = event(
      "a",
      "DTSTART;TZID=America/New_York:20260302T200000",
      "RRULE:FREQ=DAILY;UNTIL=20260304T010000Z",
    );
    const date = event("b", "DTSTART;TZID=Europe/Berlin:20260302T200000", "RRULE:FREQ=DAILY;UNTIL=20260303");
    expect(ids(await list(14, ...utc, ...date))).to.deep.equal([
      "b#20260302T190000Z",
      "a#20260303T010000Z",
      "b#20260303T190000Z",
      "a#20260304T010000Z",
    ]);
  });

  it("reads times without a zone on the person's clocks", async () => {
    expect(starts(await list(7, ...event("a", "DTSTART:20260303T100000")))).to.deep.equal([
      "2026-03-03T10:00+01:00",
    ]);
  });

  it("takes a zone that has no IANA name from the file", async () => {
    const half = (kind: string, start: string, [from, to]: readonly string[], month: number) => [
      `BEGIN:${kind}`,
      `DTSTART:${start}`,
      `TZOFFSETFROM:${from}`,
      `TZOFFSETTO:${to}`,
      `RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=${month}`,
      `END:${kind}`,
    ];
    const zone = [
      "BEGIN:VTIMEZONE",
      "TZID:W. Europe Standard Time",
      ...half("STANDARD", "16010101T030000", ["+0200", "+0100"], 10),
      ...half("DAYLIGHT", "16010101T020000", ["+0100", "+0200"], 3),
      "END:VTIMEZONE",
    ];
    const rule = ["DTSTART;TZID=W. Europe Standard Time:20260323T090000", "RRULE:FREQ=WEEKLY;COUNT=2"];
    expect(starts(await list(40, ...zone, ...event("a", ...rule)))).to.deep.equal([
      "2026-03-23T09:00+01:00",
      "2026-03-30T09:00+02:00",
    ]);
  });

  it("shows an event that is under way or has begun before the range", async () => {
    const data = await list(
      0,
      ...event("a", "DTSTART:20260225T090000Z", "DTEND:20260305T090000Z"),
      ...event("b", "DTSTART:20260225T090000Z"),
    );
    expect(ids(data)).to.deep.equal(["a"]);
  });

  it("moves an occurrence in the hour that the clocks skip to after it", async () => {
    const data = await list(
      28,
      ...event("a", "DTSTART;TZID=Europe/Berlin:20260328T023000", "RRULE:FREQ=DAILY;COUNT=2"),
    );
    expect(starts(data)).to.deep.equal(["2026-03-28T02:30+01:00", "2026-03-29T03:30+02:00"]);
  });

  for (const rule of [
    "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31",
    "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=SECONDLY",
    "FREQ=DAILY;COUNT=2000000000",
  ]) {
    it(`does not hang on the rule ${rule}, and shows the other events`, async () => {
      const began = Date.now();
      const data = await list(
        7,
        ...event("a", "DTSTART:19700101T000000Z", `RRULE:${rule}`),
        ...event("b", "DTSTART:20260303T100000Z"),
      );
      expect(ids(data)).to.include("b");
      expect(Date.now() - began).to.be.below(2000);
    });
  }

  it("does not hang on a zone with a rule that never matches", async () => {
    const zone = [
      "BEGIN:VTIMEZONE",
      "TZID:Trap",
      "BEGIN:STANDARD",
      "DTSTART:16010101T030000",
      "TZOFFSETFROM:+0200",
      "TZOFFSETTO:+0100",
    ];
    const rule = ["RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31", "END:STANDARD", "END:VTIMEZONE"];
    expect(
      ids(await list(7, ...zone, ...rule, ...event("a", "DTSTART;TZID=Trap:20260303T100000"))),
    ).to.deep.equal(["a"]);
  });

  it("reads the other events when one is broken, and says so", async () => {
    const { call, folder } = scene({
      "Work.ics": calendar(...event("a", "DTSTART:nonsense"), ...event("b", "DTSTART:20260303T100000Z")),
    });
    expect(folder).to.be.a("string");
    const { data, message } = await listEvents.run({ days_ahead: 7 } as never, call());
    expect(ids(data as string)).to.deep.equal(["b"]);
    expect(message).to.contain("1 event could not be read");
  });

  it("finds an event in a series that began in 1950 quickly", async () => {
    const began = Date.now();
    const data = await list(1, ...event("a", "DTSTART:19500101T090000Z", "RRULE:FREQ=DAILY"));
    expect(starts(data)).to.have.length(2);
    expect(Date.now() - began).to.be.below(1000);
  });

  it("T22: searches exactly the days that were asked for", async () => {
    const { run } = scene({
      "Work.ics": calendar(
        ...event("far", "SUMMARY:x", "DTSTART:20260201T000000Z"),
        ...event("first", "SUMMARY:x", "DTSTART;TZID=Europe/Berlin:20260228T000000"),
        ...event("last", "SUMMARY:x", "DTSTART;TZID=Europe/Berlin:20260303T235900"),
        ...event("after", "SUMMARY:x", "DTSTART;TZID=Europe/Berlin:20260304T000000"),
      ),
    });
    expect(ids(await run(searchEvents, { query: "x", days_back: 2, days_ahead: 1 }))).to.deep.equal([
      "first",
      "last",
    ]);
    expect(ids(await run(searchEvents, { query: "x" }))).to.deep.equal(["far", "first", "last", "after"]);
    expect(ids(await run(listEvents, { days_ahead: 0 }))).to.deep.equal([]);
  });
});
