import { expect } from "chai";
import type { Page } from "playwright-core";
import { accessibilityFaults } from "../support/accessibility.ts";
import { scenesInBrowser } from "../support/page-scene.ts";

/** Has what reads a route get a refusal, as the service sends it, until the address is unrouted. */
const refuse = (page: Page, address: string, message: string) =>
  page.route(address, (route) =>
    route.fulfill({
      status: 503,
      headers: { "x-request-id": "req_of_this_test" },
      json: { error: { message, code: "storage_unavailable" } },
    }),
  );

/** The views that read when they are opened: the route of each, and what it shows once that answers. */
const views = [
  ["runs", "**/api/runs?*", "No runs yet."],
  ["memory", "**/api/memories?*", "Nothing is remembered yet."],
  ["models", "**/api/providers", "Use a key"],
  ["plugins", "**/api/plugins", /^\d+ running/],
  ["mcp", "**/api/mcp/servers", "There are no MCP servers yet."],
  ["settings", "**/api/preferences/schema", "General"],
  ["check", "**/api/doctor", /^\d+ faults? · /],
] as const;

describe("what all views of the page share (package chromium)", function () {
  this.timeout(120_000);
  const openScene = scenesInBrowser();

  it("say what could not be read in the service's own words, with code and request, and read it again", async () => {
    const { page } = await openScene();
    await page.goto("/");
    for (const [view, address, shown] of views) {
      const message = `The store is away from ${view}.`;
      await refuse(page, address, message);
      await page.goto(`/#/${view}`);
      const main = page.getByRole("main");
      await main.getByText(message).waitFor();
      await main.getByText("storage_unavailable · request req_of_this_test", { exact: true }).waitFor();
      expect(await accessibilityFaults(page), view).to.deep.equal([]);
      await page.unroute(address);
      await main.getByRole("button", { name: "Try again" }).press("Enter");
      await main.getByText(shown).first().waitFor();
      expect(await main.getByText(message).count(), view).to.equal(0);
    }
  });

  it("say so of a conversation, too", async () => {
    const { page, ask } = await openScene();
    const { id } = await ask<{ readonly id: string }>("POST", "/v1/conversations", { title: "Trip" });
    await refuse(page, `**/v1/conversations/${id}?*`, "The store is away.");
    await page.goto(`/#/c/${id}`);
    const log = page.getByRole("log");
    await log.getByText("The store is away.").waitFor();
    await log.getByText("storage_unavailable · request req_of_this_test", { exact: true }).waitFor();
    await page.unroute(`**/v1/conversations/${id}?*`);
    await log.getByRole("button", { name: "Try again" }).press("Enter");
    await log.getByText("Say what you want done.").waitFor();
    expect(await log.getByText("The store is away.").count()).to.equal(0);
  });

  it("have two live regions, no more, and tell there how much they have found", async () => {
    const { page, ask } = await openScene();
    const topic = await ask<{ readonly id: string }>("POST", "/api/topics", { name: "House" });
    await ask("POST", "/api/memories", { topicId: topic.id, content: "The cleaner comes at nine" });
    await page.goto("/");
    const live = page.locator("[role=status], [role=alert], [role=timer], [aria-live]:not([aria-live=off])");
    const heard = page.getByRole("status");
    for (const [view, text] of [
      ["memory", "1 remembered"],
      ["plugins", /^\d+ running/],
      ["search/cleaner", "0 messages"],
      ["check", /^\d+ faults? · /],
    ] as const) {
      await page.goto(`/#/${view}`);
      await heard.getByText(text).waitFor({ state: "attached" });
      const ids = (await live.all()).map((region) => region.getAttribute("id"));
      expect(await Promise.all(ids), view).to.deep.equal(["polite", "urgent"]);
    }
  });
});
