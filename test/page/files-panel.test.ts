import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { accessibilityFaults, isTooWide } from "../support/accessibility.ts";
import { scenesInBrowser } from "../support/page-scene.ts";

describe("the page's panel of files (package chromium)", function () {
  this.timeout(60_000);
  const openScene = scenesInBrowser();

  it("shows folders and texts, saves a file, takes one from the person, and takes that back", async () => {
    const workingDirectory = temporaryFolder("pergola-files-");
    const at = (...steps: string[]): string => path.join(workingDirectory, ...steps);
    mkdirSync(at("docs"));
    writeFileSync(at("docs", "plan b#1.md"), "Sow the beans.\u202e\n");
    writeFileSync(at("notes.txt"), "Dig the bed.\n");
    const { page, ask } = await openScene();
    const { id } = await ask<{ id: string }>("POST", "/v1/conversations", { workingDirectory });
    await page.goto(`/#/c/${id}`);
    await page.getByRole("button", { name: "Files" }).press("Enter");
    const panel = page.getByRole("dialog", { name: "Files" });
    const entry = (name: string) => panel.getByRole("listitem").filter({ hasText: name }).last();
    await entry("docs").getByText("Show").click();
    await entry("plan b#1.md").getByText("Show").click();
    await panel.getByText("Sow the beans.⟨U+202E⟩").waitFor();
    const download = page.waitForEvent("download");
    await panel.getByRole("button", { name: "Download: notes.txt" }).press("Enter");
    expect((await download).suggestedFilename()).to.equal("notes.txt");
    expect(readFileSync(await (await download).path(), "utf8")).to.equal("Dig the bed.\n");

    const added = page.getByRole("form", { name: "Message" }).getByRole("listitem");
    const upload = async (content: string): Promise<void> => {
      await page.keyboard.press("Escape");
      await panel.waitFor({ state: "detached" });
      const chooser = page.waitForEvent("filechooser");
      await page.getByRole("button", { name: "+ File" }).press("Enter");
      await (
        await chooser
      ).setFiles({ name: "seeds.csv", mimeType: "text/csv", buffer: Buffer.from(content) });
    };
    await upload("beans;3\n");
    await upload("other\n");
    await added.getByText("is there already").waitFor();
    await page.getByRole("button", { name: "Files" }).press("Enter");
    await entry("seeds.csv").waitFor();
    expect(readFileSync(at("seeds.csv"), "utf8")).to.equal("beans;3\n");

    for (const colorScheme of ["light", "dark"] as const)
      for (const width of [1280, 360]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 720 });
        expect([await accessibilityFaults(page), await isTooWide(page)]).to.deep.equal([[], false]);
      }

    await panel.getByText("1 file changed +1 −0").getByRole("button", { name: "View" }).click();
    await page.getByRole("button", { name: "Take back 1 of 1 file" }).click();
    await page.getByRole("dialog").getByText("1 file taken back").waitFor();
    expect(existsSync(at("seeds.csv"))).to.equal(false);
    await page.getByRole("button", { name: "Undo this" }).click();
    await page.getByRole("button", { name: "Take back 1 of 1 file" }).waitFor();
    expect(readFileSync(at("seeds.csv"), "utf8")).to.equal("beans;3\n");
  });

  it("takes what is dropped into a conversation, a new one too", async () => {
    const { page, ask } = await openScene();
    await page.goto("/");
    await page.getByRole("textbox", { name: "Message" }).waitFor();
    const dataTransfer = await page.evaluateHandle(
      "(() => { const all = new DataTransfer(); all.items.add(new File(['dropped'], 'drop.txt')); return all })()",
    );
    await page.locator(".chat").dispatchEvent("drop", { dataTransfer });
    const added = page.getByRole("form", { name: "Message" }).getByRole("listitem");
    await added.getByText("drop.txt").waitFor();
    await added.getByRole("progressbar").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Files" }).click();
    const panel = page.getByRole("dialog", { name: "Files" });
    await panel.getByRole("listitem").getByText("drop.txt").waitFor();
    // The file and the folders that were made for it.
    await panel.getByText("3 files changed").waitFor();
    const [, id = ""] = /#\/c\/([0-9a-f-]{36})$/.exec(page.url()) ?? [];
    const { entries } = await ask<{ entries: { name: string; size: number }[] }>(
      "GET",
      `/v1/conversations/${id}/files`,
    );
    expect(entries.map(({ name, size }) => [name, size])).to.deep.equal([["drop.txt", 7]]);
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    await page.getByRole("textbox", { name: "Message" }).fill("What is in it?");
    await page.keyboard.press("Enter");
    await page.getByRole("log").getByText("Hello.").waitFor();
    expect(page.url()).to.match(new RegExp(`#/c/${id}$`));
  });
});
