import { expect } from "chai";
import { toolFailure } from "@pergola/kit-dav/testing";
import { completeReminder } from "../operations/complete-reminder.ts";
import { createReminder } from "../operations/create-reminder.ts";
import { deleteReminder } from "../operations/delete-reminder.ts";
import { listReminderLists } from "../operations/list-reminder-lists.ts";
import { listReminders } from "../operations/list-reminders.ts";
import { calendar, event, ids, scene } from "./scene.ts";

const todo = (uid: string, ...all: readonly string[]): readonly string[] => [
  "BEGIN:VTODO",
  `UID:${uid}`,
  "DTSTAMP:20260101T000000Z",
  ...all,
  "END:VTODO",
];

describe("reminders", () => {
  it("are made, listed, completed and deleted", async () => {
    const { run, read } = scene();
    const data = await run(createReminder, {
      title: "Call",
      due_date: "2026-03-04T09:00",
      notes: "soon",
      priority: 1,
    });
    expect(data).to.match(
      /^### Call\n- Due: 2026-03-04T09:00\+01:00 \(Wednesday\)\n- Priority: high\n- List: Reminders\n- Notes: soon\n- ID: /,
    );
    expect(await run(listReminders)).to.equal(data);
    const [id] = ids(data);
    await run(completeReminder, { reminder_id: id });
    expect(await run(listReminders)).to.equal("No reminders.");
    expect(await run(listReminders, { include_completed: true })).to.contain("- Status: completed");
    expect(read("Reminders.ics"))
      .to.contain("STATUS:COMPLETED\r\n")
      .and.to.contain("COMPLETED:20260302T110000Z\r\n");
    await run(deleteReminder, { reminder_id: id });
    expect(read("Reminders.ics")).not.to.contain("VTODO");
  });

  it("stand in the order of their dates, those without one last", async () => {
    const all = [
      ...todo("none"),
      ...todo("late", "DUE:20260401T000000Z"),
      ...todo("day", "DUE;VALUE=DATE:20260310"),
      ...todo("early", "DUE:20260303T000000Z"),
    ];
    expect(ids(await scene({ "a.ics": calendar(...all) }).run(listReminders))).to.deep.equal([
      "early",
      "day",
      "late",
      "none",
    ]);
  });

  it("keep everything else in the file and in the alarm when one is completed", async () => {
    const alarm = ["BEGIN:VALARM", "UID:alarm", "STATUS:inner", "TRIGGER:PT0S", "END:VALARM"];
    const text = calendar(
      ...todo("a", "STATUS:NEEDS-ACTION", 'X-ODD;A="b:c":d', "DESCRIPTION:long", "  line", ...alarm),
      ...event("e", "SUMMARY:x"),
    );
    const { run, read } = scene({ "a.ics": text });
    await run(completeReminder, { reminder_id: "a" });
    const added = ["COMPLETED:20260302T110000Z", "PERCENT-COMPLETE:100", "LAST-MODIFIED:20260302T110000Z"]
      .map((line) => `${line}\r\n`)
      .join("");
    expect(read("a.ics").replace("STATUS:COMPLETED", "STATUS:NEEDS-ACTION").replace(added, "")).to.equal(
      text,
    );
  });

  it("that repeat move on to their next date, and end with their last", async () => {
    const rule = [
      "DTSTART;TZID=Europe/Berlin:20260327T080000",
      "DUE;TZID=Europe/Berlin:20260327T090000",
      "RRULE:FREQ=WEEKLY;COUNT=2",
    ];
    const { run, read } = scene({ "a.ics": calendar(...todo("a", ...rule)) });
    expect(await run(completeReminder, { reminder_id: "a" })).to.contain(
      "It is due again: 2026-04-03T09:00+02:00 (Friday).",
    );
    expect(read("a.ics"))
      .to.contain("DTSTART;TZID=Europe/Berlin:20260403T080000")
      .and.to.contain("RRULE:FREQ=WEEKLY;COUNT=1");
    await run(completeReminder, { reminder_id: "a" });
    expect(read("a.ics")).to.contain("STATUS:COMPLETED");
  });

  it("name the existing lists when one is unknown", async () => {
    const { run } = scene({ "Home.ics": calendar(), "Shop.ics": calendar() });
    const { code, hint } = await toolFailure(run(listReminders, { list_name: "x" }));
    expect([code, hint]).to.deep.equal(["not_found", 'Existing: "Home", "Shop".']);
  });

  it("go to the list that is named, else to the one that holds reminders", async () => {
    const { run, read } = scene({ "Home.ics": calendar(), "Shop.ics": calendar(...todo("a")) });
    await run(createReminder, { title: "One" });
    await run(createReminder, { title: "Two", list_name: "home" });
    expect([
      read("Shop.ics").includes("SUMMARY:One"),
      read("Home.ics").includes("SUMMARY:Two"),
    ]).to.deep.equal([true, true]);
    expect(await run(listReminderLists)).to.equal("- Home: 1 open, 0 completed\n- Shop: 2 open, 0 completed");
  });

  it("are not events, nor are events reminders", async () => {
    const { run } = scene({ "a.ics": calendar(...event("e", "SUMMARY:x", "DTSTART:20260303T100000Z")) });
    expect((await toolFailure(run(deleteReminder, { reminder_id: "e" }))).code).to.equal("not_found");
    expect((await toolFailure(run(completeReminder, { reminder_id: "e" }))).code).to.equal("not_found");
  });

  it("tell after a crash what happened to them", async () => {
    const { call } = scene();
    const context = call();
    const args = { title: "x", priority: 0 } as never;
    expect(await createReminder.reconcile?.(args, context)).to.equal("did_not_happen");
    const { data } = await createReminder.run(args, context);
    expect(await createReminder.reconcile?.(args, context)).to.equal("happened");
    const one = { reminder_id: ids(data as string)[0] } as never;
    expect(await completeReminder.reconcile?.(one, call())).to.equal("did_not_happen");
    await completeReminder.run(one, call());
    expect(await completeReminder.reconcile?.(one, call())).to.equal("happened");
    expect(await deleteReminder.reconcile?.(one, call())).to.equal("did_not_happen");
    await deleteReminder.run(one, call());
    expect(await deleteReminder.reconcile?.(one, call())).to.equal("happened");
  });
});
