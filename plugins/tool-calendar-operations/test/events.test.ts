import { readdirSync } from "node:fs";
import { expect } from "chai";
import { toolFailure } from "@pergola/kit-dav/testing";
import { createEvent } from "../operations/create-event.ts";
import { deleteEvent } from "../operations/delete-event.ts";
import { listEvents } from "../operations/list-events.ts";
import { searchEvents } from "../operations/search-events.ts";
import { calendar, event, ids, scene, starts } from "./scene.ts";

const odd = calendar(
  "X-WR-CALNAME:Team",
  'X-SECRET;FOO="a:b":kept\\, as is',
  ...event(
    "x",
    "SUMMARY:Odd ",
    "DTSTART:20260303T100000Z",
    "X-THING;X-P=1:some\\;thing",
    "ATTACH;ENCODING=BASE64;VALUE=BINARY:AAAA",
    " BBBB",
  ),
);

describe("create_event", () => {
  it("makes the store and the calendar on the first write", async () => {
    const { run, folder, read } = scene();
    const data = await run(createEvent, {
      title: "Lunch",
      start_date: "2026-03-04T12:30",
      location: "Café, 2nd floor",
      notes: "Bring;\nbread",
    });
    expect(readdirSync(folder)).to.deep.equal(["Calendar.ics"]);
    expect(read("Calendar.ics")).to.contain("DTSTART:20260304T113000Z\r\nDTEND:20260304T123000Z\r\n");
    expect(data).to.match(
      /^### Lunch\n- Start: 2026-03-04T12:30\+01:00 \(Wednesday\)\n- End: 2026-03-04T13:30\+01:00 \(Wednesday\)\n/,
    );
    expect(await run(listEvents)).to.equal(data);
    expect(data).to.contain(
      "- Location: Café, 2nd floor\n- Calendar: Calendar\n- Notes: Bring; bread\n- ID: ",
    );
  });

  it("folds long lines so that other programs read them", async () => {
    const { run, read } = scene();
    const title = "ä".repeat(200);
    expect(await run(createEvent, { title, start_date: "2026-03-04T12:30" })).to.contain(title);
    expect(
      Math.max(
        ...read("Calendar.ics")
          .split("\r\n")
          .map((line) => Buffer.byteLength(line)),
      ),
    ).to.be.at.most(75);
    expect(await run(listEvents)).to.contain(title);
  });

  const forms: Readonly<Record<string, string>> = {
    "2026-03-04T12:30:00Z": "2026-03-04T13:30+01:00",
    "2026-03-04T12:30:00.123456-05:00": "2026-03-04T18:30+01:00",
    "2026-03-04T12:30:00,5": "2026-03-04T12:30+01:00",
    "2026-03-04 12:30": "2026-03-04T12:30+01:00",
    "20260304T123000Z": "2026-03-04T13:30+01:00",
    "2026-03-04T12:30+0530": "2026-03-04T08:00+01:00",
    "2026-03-29T02:30": "2026-03-29T03:30+02:00",
    "2026-10-25T02:30": "2026-10-25T02:30+02:00",
    "2026-03-04": "2026-03-04",
  };
  for (const [given, shown] of Object.entries(forms)) {
    it(`takes the date ${given}`, async () => {
      expect(starts(await scene().run(createEvent, { title: "x", start_date: given }))).to.deep.equal([
        shown,
      ]);
    });
  }

  for (const wrong of [
    "tomorrow",
    "2026-02-30",
    "2026-13-01",
    "2026-03-04T25:00",
    "2026-03-04T12:61",
    "",
    "2026-03-04T12:30Q",
  ]) {
    it(`refuses the date "${wrong}" and shows how to write one`, async () => {
      const { code, hint } = await toolFailure(scene().run(createEvent, { title: "x", start_date: wrong }));
      expect([code, hint.includes("ISO 8601")]).to.deep.equal(["invalid_value", true]);
    });
  }

  it("refuses an end before the start, and a whole day that ends at a time", async () => {
    const end = (end_date: string) =>
      toolFailure(scene().run(createEvent, { title: "x", start_date: "2026-03-04", end_date }));
    expect([(await end("2026-03-03")).code, (await end("2026-03-05T10:00")).code]).to.deep.equal([
      "invalid_value",
      "invalid_value",
    ]);
  });

  it("counts the last of several whole days in", async () => {
    const { run, read } = scene();
    await run(createEvent, { title: "Trip", start_date: "2026-03-04", end_date: "2026-03-06" });
    expect(read("Calendar.ics")).to.contain("DTSTART;VALUE=DATE:20260304\r\nDTEND;VALUE=DATE:20260307");
  });

  it("names the existing calendars when one is unknown, and writes nothing", async () => {
    const { run, folder } = scene({ "Home.ics": calendar(), "work.ics": odd });
    const { code, hint } = await toolFailure(
      run(createEvent, { title: "x", start_date: "2026-03-04", calendar_name: "Works" }),
    );
    expect([code, hint]).to.deep.equal(["not_found", 'Existing: "Home", "Team".']);
    expect(readdirSync(folder)).to.deep.equal(["Home.ics", "work.ics"]);
  });

  it("finds a calendar by its title and by its file, in any case", async () => {
    const { run, read } = scene({ "Home.ics": calendar(), "work.ics": odd });
    await run(createEvent, { title: "One", start_date: "2026-03-04", calendar_name: "team" });
    await run(createEvent, { title: "Two", start_date: "2026-03-04", calendar_name: "WORK" });
    expect(read("work.ics")).to.contain("SUMMARY:One").and.to.contain("SUMMARY:Two");
  });

  it("keeps all that was in the file, byte for byte", async () => {
    const { run, read } = scene({ "work.ics": odd });
    const data = await run(createEvent, { title: "New", start_date: "2026-03-04" });
    expect(read("work.ics").replace(/BEGIN:VEVENT\r\nUID:(?!x\r)[\s\S]*?END:VEVENT\r\n/, "")).to.equal(odd);
    await run(deleteEvent, { event_id: ids(data)[0] });
    expect(read("work.ics")).to.equal(odd);
  });

  it("keeps the line ends of a file", async () => {
    const { run, read } = scene({ "work.ics": odd.replaceAll("\r\n", "\n") });
    await run(createEvent, { title: "New", start_date: "2026-03-04" });
    expect(read("work.ics")).not.to.contain("\r");
  });

  it("loses nothing when many events are added at once", async () => {
    const { run } = scene();
    await Promise.all(
      Array.from({ length: 12 }, async (_, n) =>
        run(createEvent, { title: `Event ${n}`, start_date: "2026-03-04T10:00" }),
      ),
    );
    expect(new Set(ids(await run(listEvents))).size).to.equal(12);
  });

  it("does not write into a file that is no calendar", async () => {
    const { run, read } = scene({ "Calendar.ics": "something else\n" });
    expect((await toolFailure(run(createEvent, { title: "x", start_date: "2026-03-04" }))).code).to.equal(
      "conflict",
    );
    expect(read("Calendar.ics")).to.equal("something else\n");
  });

  it("tells after a crash whether it happened", async () => {
    const { call } = scene();
    const args = { title: "x", start_date: "2026-03-04" } as never;
    const context = call();
    expect(await createEvent.reconcile?.(args, context)).to.equal("did_not_happen");
    await createEvent.run(args, context);
    expect(await createEvent.reconcile?.(args, context)).to.equal("happened");
  });

  it("keeps a title with line breaks from passing for further properties or entries", async () => {
    const { run, read } = scene();
    const title = "Hi\r\nATTENDEE:mailto:x@y\n### Fake\u0000";
    const data = await run(createEvent, { title, start_date: "2026-03-04" });
    expect(read("Calendar.ics")).to.contain("SUMMARY:Hi\\nATTENDEE:mailto:x@y\\n### Fake\r\n");
    expect(data).to.match(/^### Hi ATTENDEE:mailto:x@y ### Fake\n/);
  });
});

describe("search_events", () => {
  it("finds words in title, location and notes without regard to case and accents", async () => {
    const files = {
      "a.ics": calendar(
        ...event("t", "SUMMARY:Zahnärztin Müller", "DTSTART:20260303T100000Z"),
        ...event(
          "l",
          "SUMMARY:Talk",
          "LOCATION:At Mueller's",
          "DESCRIPTION:about teeth",
          "DTSTART:20260304T100000Z",
        ),
      ),
    };
    const { run } = scene(files);
    expect(ids(await run(searchEvents, { query: "MULLER zahnarztin" }))).to.deep.equal(["t"]);
    expect(ids(await run(searchEvents, { query: "teeth mueller" }))).to.deep.equal(["l"]);
    expect(await run(searchEvents, { query: "nothing" })).to.match(/^No events from 2026-01-31/);
  });
});

describe("delete_event", () => {
  const series = event(
    "a",
    "SUMMARY:Run",
    "DTSTART;TZID=Europe/Berlin:20260303T090000",
    "RRULE:FREQ=DAILY;COUNT=4",
  );
  const changed = event(
    "a",
    "SUMMARY:Run late",
    "RECURRENCE-ID;TZID=Europe/Berlin:20260304T090000",
    "DTSTART;TZID=Europe/Berlin:20260304T120000",
  );

  it("deletes one occurrence of a series, in the form of its start", async () => {
    const { run, read } = scene({ "a.ics": calendar(...series, ...event("b", "DTSTART:20260303T100000Z")) });
    await run(deleteEvent, { event_id: "a#20260304T080000Z" });
    expect(read("a.ics")).to.contain("EXDATE;TZID=Europe/Berlin:20260304T090000\r\nEND:VEVENT");
    expect(ids(await run(listEvents))).to.deep.equal([
      "a#20260303T080000Z",
      "b",
      "a#20260305T080000Z",
      "a#20260306T080000Z",
    ]);
  });

  it("deletes a changed occurrence, and does not bring the first one back", async () => {
    const { run } = scene({ "a.ics": calendar(...series, ...changed) });
    await run(deleteEvent, { event_id: "a#20260304T080000Z" });
    expect(starts(await run(listEvents))).to.deep.equal([
      "2026-03-03T09:00+01:00",
      "2026-03-05T09:00+01:00",
      "2026-03-06T09:00+01:00",
    ]);
  });

  it("deletes one whole day of a series", async () => {
    const { run } = scene({
      "a.ics": calendar(...event("a", "DTSTART;VALUE=DATE:20260303", "RRULE:FREQ=DAILY;COUNT=3")),
    });
    await run(deleteEvent, { event_id: "a#20260304" });
    expect(starts(await run(listEvents))).to.deep.equal(["2026-03-03", "2026-03-05"]);
  });

  it("deletes a series with its changed occurrences", async () => {
    const { run, read } = scene({ "a.ics": calendar(...series, ...changed) });
    await run(deleteEvent, { event_id: "a" });
    expect(read("a.ics")).to.equal(calendar());
  });

  it("deletes an event without a UID by the ID it was listed with", async () => {
    const { run, read } = scene({
      "a.ics": calendar("BEGIN:VEVENT", "SUMMARY:x", "DTSTART:20260303T100000Z", "END:VEVENT"),
    });
    await run(deleteEvent, { event_id: ids(await run(listEvents))[0] });
    expect(read("a.ics")).to.equal(calendar());
  });

  for (const id of ["nothing", "a#20260307T080000Z", "b#20260303T100000Z", "a#x"]) {
    it(`fails for "${id}" and changes nothing`, async () => {
      const text = calendar(...series, ...event("b", "DTSTART:20260303T100000Z"));
      const { run, read } = scene({ "a.ics": text });
      expect((await toolFailure(run(deleteEvent, { event_id: id }))).code).to.equal("not_found");
      expect(read("a.ics")).to.equal(text);
    });
  }

  it("tells after a crash whether it happened", async () => {
    const { run, call } = scene({ "a.ics": calendar(...series) });
    const answers = async (event_id: string) => deleteEvent.reconcile?.({ event_id } as never, call());
    expect([await answers("a"), await answers("a#20260304T080000Z")]).to.deep.equal([
      "did_not_happen",
      "did_not_happen",
    ]);
    await run(deleteEvent, { event_id: "a#20260304T080000Z" });
    expect(await answers("a#20260304T080000Z")).to.equal("happened");
    await run(deleteEvent, { event_id: "a" });
    expect(await answers("a")).to.equal("happened");
  });
});
