import { expect } from "chai";
import { listEvents } from "../operations/list-events.ts";
import { calendar, event, ids, scene } from "./scene.ts";

describe("calendars of any size", () => {
  const hostile: Readonly<Record<string, string>> = {
    "many components inside one that are not closed": calendar(
      ...event("a", Array<string>(50_000).fill("BEGIN:VALARM").join("\r\n")),
    ),
    "many ends of nothing": calendar(
      Array<string>(50_000).fill("BEGIN:X").join("\r\n"),
      Array<string>(50_000).fill("END:Y").join("\r\n"),
    ),
    "many changed occurrences of nothing": calendar(
      ...Array<readonly string[]>(500).fill(event("a", "RECURRENCE-ID:20260303T100000Z")).flat(),
    ),
    "one very long line": calendar(...event("a", `SUMMARY;X="${";".repeat(500_000)}`)),
  };
  for (const [what, text] of Object.entries(hostile)) {
    it(`lists the others in good time beside ${what}`, async () => {
      const { run } = scene({
        "Bad.ics": text,
        "Good.ics": calendar(...event("good", "DTSTART:20260303T100000Z")),
      });
      const began = Date.now();
      expect(ids(await run(listEvents))).to.deep.equal(["good"]);
      expect(Date.now() - began).to.be.below(5000);
    });
  }

  it("lists a week out of 5,000 events in good time, and lets others work meanwhile", async () => {
    const days = Array.from({ length: 5000 }, (_, n) =>
      new Date(Date.UTC(2020, 0, 1 + n)).toISOString().slice(0, 10).replaceAll("-", ""),
    );
    const all = days.flatMap((date, n) =>
      event(`e${n}`, `SUMMARY:Event ${n}`, `DTSTART;TZID=Europe/Berlin:${date}T100000`),
    );
    const { run } = scene({ "Big.ics": calendar(...all) });
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 5);
    const began = Date.now();
    expect(ids(await run(listEvents))).to.have.length(8);
    clearInterval(timer);
    expect(Date.now() - began).to.be.below(5000);
    expect(ticks, "turns of others").to.be.at.least(3);
  });

  it("stops when the call is cancelled", async () => {
    const all = Array.from({ length: 200 }, (_, n) =>
      event(`e${n}`, "DTSTART:19700101T000000Z", "RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31"),
    );
    const { call } = scene({ "Slow.ics": calendar(...all.flat()) });
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("stopped")), 50);
    const began = Date.now();
    const outcome = await listEvents
      .run({ days_ahead: 3660 } as never, { ...call(), signal: stop.signal })
      .catch((error: Error) => error.message);
    expect(outcome).to.equal("stopped");
    expect(Date.now() - began).to.be.below(2000);
  });
});
