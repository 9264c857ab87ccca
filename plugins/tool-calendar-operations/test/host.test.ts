import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { hasRadicale, startRadicale } from "@pergola/kit-dav/testing";
import { startTestHost, temporaryFolder, type TestHost } from "@pergola/sdk/testing";
import { calendar, event } from "./scene.ts";

interface Answer {
  readonly success: boolean;
  readonly result: string;
  readonly error_code?: string;
}

const start = async (
  settings: object = {},
  environment: Readonly<Record<string, string>> = {},
): Promise<TestHost> =>
  startTestHost({
    environment,
    plugins: [
      "storage-memory",
      "bridge-machine",
      "policy-authorization",
      "endpoint-debug",
      "tool-calendar-operations",
    ].map((id) => `@pergola/${id}`),
    settings: { storage: { type: "memory" }, ...settings },
  });

const fill = (folder: string): void => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    path.join(folder, "Home.ics"),
    calendar(...event("e", "SUMMARY:Lunch", "DTSTART:20200303T100000Z", "RRULE:FREQ=DAILY")),
  );
};

describe("calendar_operations in a host", () => {
  let host: TestHost | undefined;
  const call = async (tool: string, args: object, isUserInitiated = false): Promise<Answer> =>
    (await host!.json<Answer>("POST", "/debug/mcp/execute", { tool, arguments: args, isUserInitiated })).body;

  afterEach(async () => host?.stop());

  it("reads its folder in the data directory without a question, and writes there after one", async () => {
    host = await start();
    const folder = path.join(host.dataDirectory, "calendars");
    fill(folder);
    expect((await call("calendar_operations.list_events", { days_ahead: 0 })).result).to.contain("### Lunch");
    const title = { title: "Tea", start_date: "2026-03-05T10:00" };
    expect((await call("create_event", title)).error_code).to.equal("approval_required");
    expect(existsSync(path.join(folder, "Calendar.ics"))).to.equal(false);
    expect(await call("create_event", title, true)).to.include({ success: true });
    expect((await call("delete_event", { event_id: "e" })).error_code).to.equal("approval_required");
  });

  it("reaches a folder of the person's that the preference names", async () => {
    const folder = path.join(temporaryFolder(), "mine");
    fill(folder);
    host = await start({ "tools.calendar.path": folder });
    expect((await call("list_events", { days_ahead: 0 })).result).to.contain("### Lunch");
  });

  it("makes the store on the first write", async () => {
    host = await start();
    expect((await call("create_reminder", { title: "Milk" }, true)).success).to.equal(true);
    expect(existsSync(path.join(host.dataDirectory, "calendars", "Reminders.ics"))).to.equal(true);
  });

  it("uses the account that the settings name, with a password from the environment", async function () {
    if (!hasRadicale()) {
      console.log("      needs the Debian package radicale");
      this.skip();
    }
    const server = await startRadicale({ work: { tag: "VCALENDAR", "D:displayname": "Work" } });
    try {
      const account = { url: server.url, user: "ada", password: { env: "ADA_PASSWORD" } };
      const settings = { "tools.calendar.caldav": account };
      host = await start(settings, { ADA_PASSWORD: "secret" });
      const made = await call("create_event", { title: "Tea", start_date: "2026-03-05T10:00" }, true);
      expect(made.result).to.contain("- Calendar: Work\n");
      expect(await call("search_events", { query: "tea", days_back: 3660, days_ahead: 3660 })).to.include({
        success: true,
      });
      expect(existsSync(path.join(host.dataDirectory, "calendars"))).to.equal(false);
    } finally {
      await server.stop();
    }
  });
});
