import { existsSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { temporaryFolder } from "@pergola/sdk/testing";
import { accessibilityFaults } from "../support/accessibility.ts";
import { chatsInBrowser, field, log, openCard, sendText, shown, writes } from "../support/chat-page.ts";
import { turns } from "../support/page-scene.ts";

const reason = "The service cannot be reached";

/** What can be pressed, chosen or written without the service. */
const local = [
  /^Message$/,
  /^Skip to the content$/,
  /^Conversations$/,
  /^Go to/,
  /^Try (now|again)$/,
  /^Copy$/,
  /^Search( settings| messages| memory| models)?$/,
  /^Model$/,
  /^How long this is allowed$/,
  /^To the end$/,
];

/** Controls that are in force, by their names, and those that are not and do not say why. */
const controls = (
  page: Page,
): Promise<{ readonly inForce: readonly string[]; readonly mute: readonly string[] }> =>
  page.evaluate(`(() => {
    const all = [...document.querySelectorAll("button, select, input, textarea")];
    const shown = all.filter((one) => one.checkVisibility());
    const nameOf = (one) =>
      (one.getAttribute("aria-label") ?? one.labels?.[0]?.textContent ?? one.textContent).trim();
    const isHeld = (one) => one.getAttribute("aria-disabled") === "true" || one.disabled;
    return {
      inForce: shown.filter((one) => !isHeld(one)).map(nameOf),
      mute: shown.filter((one) => isHeld(one) && one.title === "").map(nameOf),
    };
  })()`);

describe("the page without its service (package chromium)", function () {
  this.timeout(60_000);
  const openChat = chatsInBrowser();

  it("holds what needs the service in every view, says why, and does it when that is back", async () => {
    const file = path.join(temporaryFolder(), "out.txt");
    const { page } = await openChat(turns({ text: "First." }, writes(file), { text: "All done." }));
    await sendText(page, "Hi");
    await log(page).getByText("First.").waitFor();
    await sendText(page, "Copy it");
    const card = await openCard(page);
    const chat = new URL(page.url()).hash;
    const goOffline = async (): Promise<void> => {
      await page.context().setOffline(true);
      await page
        .locator(".bar")
        .getByText(/^Connection lost\./)
        .waitFor();
    };
    const goOnline = async (): Promise<void> => {
      await page.context().setOffline(false);
      await page
        .locator(".bar")
        .getByText(/^Connection lost\./)
        .waitFor({ state: "detached" });
    };
    const views = [
      "waiting",
      "runs",
      "memory",
      "models",
      "plugins",
      "mcp",
      "settings",
      "check",
      "search/First",
    ];
    for (const view of [...views.map((name) => `#/${name}`), chat]) {
      await page.goto(`/${view}`);
      await page.locator(".blocks").waitFor({ state: "detached", timeout: 20_000 });
      await goOffline();
      const { inForce, mute } = await controls(page);
      expect(
        inForce.filter((name) => !local.some((one) => one.test(name))),
        view,
      ).to.deep.equal([]);
      expect(mute, view).to.deep.equal([]);
      expect(await accessibilityFaults(page), view).to.deep.equal([]);
      if (view !== chat) await goOnline();
    }
    await card.getByRole("button", { name: "Write 1 file" }).press("Enter");
    await page.getByRole("alert").getByText(reason).waitFor({ state: "attached" });
    expect(existsSync(file)).to.equal(false);
    await field(page).fill("And then?");
    await field(page).press("Enter");
    expect(await field(page).inputValue()).to.equal("And then?");
    expect(await shown(page).getByText("Sent when this run ends").count()).to.equal(0);
    await goOnline();
    // One of the two streams may still be on its way back.
    const button = card.getByRole("button", { name: "Write 1 file" });
    while ((await button.count()) > 0) await button.press("Enter", { timeout: 1000 }).catch(() => undefined);
    await log(page).getByText("All done.").waitFor();
    expect(existsSync(file)).to.equal(true);
    expect(await field(page).inputValue()).to.equal("And then?");
  });

  it("holds the switches and fields of settings, and says why, until it is back", async () => {
    const { page, ask } = await openChat();
    const value = async (key: string) =>
      (await ask<{ preferences: Record<string, unknown> }>("GET", "/api/preferences")).preferences[key];
    const changes: string[] = [];
    page.on("request", (one) => one.method() === "PATCH" && changes.push(one.postData() ?? ""));
    await page.goto("/#/settings/workflow");
    const number = page.getByRole("spinbutton", { name: "workflow.max_iterations", exact: true });
    const box = page.getByRole("switch", { name: "workflow.dynamic_iterations", exact: true });
    await box.waitFor();
    const [text, isOn] = [await number.inputValue(), await box.isChecked()];
    await page.context().setOffline(true);
    for (const control of [number, box]) {
      await control.and(page.locator("[aria-disabled=true]")).waitFor();
      expect(await control.getAttribute("title")).to.equal(reason);
    }
    await number.focus();
    await page.keyboard.type("7");
    await page.keyboard.press("Tab");
    await box.press("Space");
    await shown(page).getByText("workflow.dynamic_iterations", { exact: true }).click({ force: true });
    await page.getByRole("alert").getByText(reason).waitFor({ state: "attached" });
    expect([await number.inputValue(), await box.isChecked()]).to.deep.equal([text, isOn]);
    await page.context().setOffline(false);
    await box.and(page.locator(":not([aria-disabled])")).waitFor();
    expect(changes).to.deep.equal([]);
    await box.press("Space");
    await shown(page).getByText("Saved", { exact: true }).waitFor();
    expect(await value("workflow.dynamic_iterations")).to.equal(!isOn);
  });
});
