import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { hasRadicale, startRadicale, toolFailure, type Radicale } from "@pergola/kit-dav/testing";
import type { Json } from "@pergola/sdk";
import { completeReminder } from "../operations/complete-reminder.ts";
import { createEvent } from "../operations/create-event.ts";
import { createReminder } from "../operations/create-reminder.ts";
import { deleteEvent } from "../operations/delete-event.ts";
import { deleteReminder } from "../operations/delete-reminder.ts";
import { listEvents } from "../operations/list-events.ts";
import { listReminderLists } from "../operations/list-reminder-lists.ts";
import { listReminders } from "../operations/list-reminders.ts";
import { searchEvents } from "../operations/search-events.ts";
import { calendar, event, ids, scene, starts, type Scene } from "./scene.ts";

const collections = {
  work: { tag: "VCALENDAR", "D:displayname": "Work & Co", "C:supported-calendar-component-set": "VEVENT" },
  tasks: { tag: "VCALENDAR", "D:displayname": "Tasks", "C:supported-calendar-component-set": "VTODO" },
};

describe("a CalDAV account (Radicale)", () => {
  let server: Radicale;
  const account = (more: Readonly<Record<string, Json>> = {}, password = "secret"): Scene =>
    scene(
      {},
      {
        preferences: {
          "tools.calendar.caldav": { url: server.url, user: "ada", password },
          ...more,
        },
      },
    );
  const put = async (name: string, text: string): Promise<void> => {
    const headers = {
      authorization: `Basic ${Buffer.from("ada:secret").toString("base64")}`,
      "content-type": "text/calendar",
    };
    expect(
      (await fetch(`${server.url}ada/work/${name}`, { method: "PUT", headers, body: text })).status,
    ).to.equal(201);
  };
  const get = async (name: string): Promise<string> => {
    const headers = { authorization: `Basic ${Buffer.from("ada:secret").toString("base64")}` };
    return (await fetch(`${server.url}ada/work/${name}`, { headers })).text();
  };

  before(async function () {
    if (!hasRadicale()) {
      console.log("      needs the Debian package radicale");
      this.skip();
    }
    server = await startRadicale(collections);
  });

  after(async () => server?.stop());

  it("keeps events: made, listed, found and deleted", async () => {
    const { run } = account();
    const data = await run(createEvent, {
      title: 'Tea & <cake>; "x"',
      start_date: "2026-03-04T15:00",
      notes: "ä\nb",
      location: "1984",
    });
    expect(data).to.match(/^### Tea & <cake>; "x"\n- Start: 2026-03-04T15:00\+01:00/);
    expect(await run(listEvents)).to.equal(data);
    expect(await run(searchEvents, { query: "cake" })).to.equal(data);
    expect(data).to.contain("- Calendar: Work & Co\n");
    await run(deleteEvent, { event_id: ids(data)[0] });
    expect(await run(listEvents)).to.match(/^No events/);
  });

  it("keeps reminders in a list of their own", async () => {
    const { run } = account();
    const data = await run(createReminder, { title: "Call", due_date: "2026-03-04" });
    expect(data).to.contain("- List: Tasks\n");
    expect(await run(listReminderLists)).to.equal("- Tasks: 1 open, 0 completed");
    await run(completeReminder, { reminder_id: ids(data)[0] });
    expect(await run(listReminders)).to.equal("No reminders.");
    await run(deleteReminder, { reminder_id: ids(data)[0] });
    expect(await run(listReminders, { include_completed: true })).to.equal("No reminders.");
  });

  it("expands series, and deletes one occurrence while all else is kept", async () => {
    const series = event(
      "run",
      "SUMMARY:Run",
      "DTSTART;TZID=Europe/Berlin:20260303T090000",
      "RRULE:FREQ=DAILY;COUNT=3",
      "X-ODD:kept",
    );
    await put("other-name.ics", calendar(...series));
    const { run } = account();
    expect(ids(await run(listEvents))).to.deep.equal([
      "run#20260303T080000Z",
      "run#20260304T080000Z",
      "run#20260305T080000Z",
    ]);
    await run(deleteEvent, { event_id: "run#20260304T080000Z" });
    expect(starts(await run(listEvents))).to.deep.equal(["2026-03-03T09:00+01:00", "2026-03-05T09:00+01:00"]);
    expect(await get("other-name.ics")).to.contain("X-ODD:kept");
    await run(deleteEvent, { event_id: "run" });
    expect(await run(listEvents)).to.match(/^No events/);
  });

  it("names the existing calendars when one is unknown", async () => {
    const { code, hint } = await toolFailure(account().run(listEvents, { calendar_name: "x" }));
    expect([code, hint]).to.deep.equal(["not_found", 'Existing: "Work & Co".']);
  });

  it("says so when the password is wrong, and does not show it", async () => {
    const { code, message } = await toolFailure(account({}, "not-the-one").run(listEvents));
    expect([code, message.includes("not-the-one")]).to.deep.equal(["permission_denied", false]);
    expect(message).to.contain("refused the user name or the password");
  });

  it("does not overwrite what another program changed in the meantime", async () => {
    await put("race.ics", calendar(...event("race", "SUMMARY:First", "DTSTART:20260303T100000Z")));
    const { call, run } = account();
    const context = call();
    const send: typeof context.fetch = async (url, init) => {
      if (init?.method === "DELETE") {
        const headers = {
          authorization: `Basic ${Buffer.from("ada:secret").toString("base64")}`,
          "content-type": "text/calendar",
        };
        const body = calendar(...event("race", "SUMMARY:Second", "DTSTART:20260303T100000Z"));
        await fetch(`${server.url}ada/work/race.ics`, { method: "PUT", headers, body });
      }
      return context.fetch(url, init);
    };
    const { code } = await toolFailure(
      deleteEvent.run({ event_id: "race" } as never, { ...context, fetch: send }),
    );
    expect(code).to.equal("conflict");
    expect(await run(listEvents)).to.contain("### Second");
    await run(deleteEvent, { event_id: "race" });
  });

  it("does not send the password to another host that the server points to", async () => {
    const seen: string[] = [];
    const answer = (href: string) =>
      `<multistatus xmlns="DAV:"><response><href>/</href><propstat><prop><current-user-principal><href>${href}</href></current-user-principal></prop><status>HTTP/1.1 200 OK</status></propstat></response></multistatus>`;
    const other = createServer((request, response) => {
      seen.push(request.headers.authorization ?? "");
      response.end();
    });
    await new Promise<void>((resolve) => void other.listen(0, "127.0.0.1", resolve));
    const elsewhere = `127.0.0.1:${(other.address() as AddressInfo).port}`;
    const evil = createServer((_request, response) => {
      response.writeHead(207, { "content-type": "application/xml" }).end(answer(`http://${elsewhere}/p/`));
    });
    await new Promise<void>((resolve) => void evil.listen(0, "127.0.0.1", resolve));
    const host = `127.0.0.1:${(evil.address() as AddressInfo).port}`;
    const preferences = {
      "tools.calendar.caldav": { url: `http://${host}/`, user: "ada", password: "secret" },
      "tools.web.allowed_private_hosts": [host, elsewhere],
    };
    const { code } = await toolFailure(scene({}, { preferences }).run(listEvents));
    other.close();
    evil.close();
    expect([code, seen]).to.deep.equal(["permission_denied", []]);
  });
});
