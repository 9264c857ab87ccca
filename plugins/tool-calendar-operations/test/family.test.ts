import { expect } from "chai";
import { runOperation } from "@pergola/sdk/testing";
import { calendarOperations } from "../index.ts";
import { calendar, event, lines, scene } from "./scene.ts";

const todo = lines("BEGIN:VTODO", "UID:t", "SUMMARY:Milk", "END:VTODO").trimEnd();

describe("calendar_operations", () => {
  it("T11: has an operation behind each of the nine bare names", () => {
    const names = calendarOperations.operations.map(({ name }) => name);
    expect(calendarOperations.aliases).to.deep.equal(Object.fromEntries(names.map((name) => [name, name])));
  });

  const calls: Readonly<
    Record<string, readonly [args: Readonly<Record<string, unknown>>, data: RegExp, file?: RegExp]>
  > = {
    list_events: [{}, /^### Lunch\n/],
    create_event: [{ title: "Tea", start_date: "2026-03-05" }, /- ID: /, /SUMMARY:Tea/],
    search_events: [{ query: "lunch" }, /^### Lunch\n/],
    delete_event: [{ event_id: "e" }, /^Deleted the event e/, /^(?![\s\S]*Lunch)/],
    list_reminders: [{}, /^### Milk\n- List: Home\n- ID: t$/],
    create_reminder: [{ title: "Eggs" }, /^### Eggs\n/, /SUMMARY:Eggs/],
    complete_reminder: [{ reminder_id: "t" }, /^Completed the reminder t\.$/, /STATUS:COMPLETED/],
    delete_reminder: [{ reminder_id: "t" }, /^Deleted the reminder t /, /^(?![\s\S]*Milk)/],
    list_reminder_lists: [{}, /^- Home: 1 open, 0 completed$/],
  };

  it("T01: has a call in this table for every operation", () => {
    expect(Object.keys(calls)).to.have.members(calendarOperations.operations.map(({ name }) => name));
  });

  for (const operation of calendarOperations.operations) {
    const [args, data, file = /Lunch/] = calls[operation.name] ?? [{}, /$^/];
    it(`T01: runs ${operation.name}`, async () => {
      const { call, read } = scene({
        "Home.ics": calendar(...event("e", "SUMMARY:Lunch", "DTSTART:20260303T100000Z"), todo),
      });
      const result = await runOperation(operation, args, call());
      expect(result.data).to.match(data);
      expect(read("Home.ics")).to.match(file);
      expect(operation.examples).to.have.length.above(0);
    });
  }

  it("an empty store is no failure", async () => {
    const { run } = scene();
    for (const operation of calendarOperations.operations.filter(
      ({ effect, required }) => effect === "read" && required.length === 0,
    ))
      expect(await run(operation)).to.match(/^(No|There are no)/);
  });
});
