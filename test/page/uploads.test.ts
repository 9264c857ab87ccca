import { expect } from "chai";
import type { Locator, Page } from "playwright-core";
import { accessibilityFaults, isTooWide } from "../support/accessibility.ts";
import { chatsInBrowser, field, log, sendText, stopButton } from "../support/chat-page.ts";
import { press, turns, ways, type PageScene } from "../support/page-scene.ts";

/** The form in which one writes, with the files that the next message names. */
const form = (page: Page): Locator => page.getByRole("form", { name: "Message" });
const chips = (page: Page): Locator => form(page).getByRole("listitem");
const chip = (page: Page, name: string): Locator => chips(page).filter({ hasText: name });
const send = (page: Page): Locator => form(page).getByRole("button", { name: "Send" });
const fileOf = (name: string, content: string | Buffer) => ({
  name,
  mimeType: "text/plain",
  buffer: Buffer.from(content),
});

async function choose(
  page: Page,
  way: string,
  ...files: readonly ReturnType<typeof fileOf>[]
): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await press(page, form(page).getByRole("button", { name: "+ File" }), way);
  await (await chooser).setFiles([...files]);
}

/** Has a page get files from somewhere else than its button. */
async function bring(page: Page, event: "drop" | "paste", ...names: readonly string[]): Promise<void> {
  const data = await page.evaluateHandle(
    `(() => {
      const all = new DataTransfer();
      for (const name of ${JSON.stringify(names)}) all.items.add(new File([name], name));
      return all;
    })()`,
  );
  if (event === "drop") return page.locator(".chat").dispatchEvent("drop", { dataTransfer: data });
  const paste = (target: { dispatchEvent: (event: Event) => boolean }, clipboardData: unknown): boolean => {
    const made = new Event("paste", { bubbles: true, cancelable: true });
    return target.dispatchEvent(Object.assign(made, { clipboardData }));
  };
  await field(page).evaluate(paste as never, data);
}

describe("files in a message (package chromium)", function () {
  this.timeout(60_000);
  const openChat = chatsInBrowser();

  const lastSent = ({ project }: PageScene): string => JSON.stringify(project.model.requests.at(-1)?.body);

  /** What is in the working directory of the conversation that is shown. */
  async function filesIn({ page, ask, url }: PageScene): Promise<Readonly<Record<string, string>>> {
    const [, id = ""] = /#\/c\/([0-9a-f-]{36})/.exec(page.url()) ?? [];
    const path = `/v1/conversations/${id}/files`;
    const { entries } = await ask<{ readonly entries: readonly { readonly name: string }[] }>("GET", path);
    const read = async ({ name }: { readonly name: string }) =>
      [name, await (await fetch(`${url}${path}/${encodeURIComponent(name)}`)).text()] as const;
    return Object.fromEntries(await Promise.all(entries.map(read)));
  }

  for (const way of ways)
    it(`are chosen in a new conversation, taken back, and named to the model, ${way}`, async () => {
      const scene = await openChat(turns({ text: "Read." }, { text: "Nothing new." }));
      const { page } = scene;
      await field(page).fill("What is in them?");
      await choose(
        page,
        way,
        fileOf("beans.csv", "beans;3\n"),
        fileOf("plan b.md", "Sow.\n"),
        fileOf("corn", "c"),
      );
      for (const name of ["beans.csv", "plan b.md"]) await chip(page, name).waitFor();
      await send(page).and(page.locator(":not([aria-disabled])")).waitFor();
      const taken = page.waitForResponse("**/revert");
      await press(page, form(page).getByRole("button", { name: "Remove: corn" }), way);
      await taken;
      await chip(page, "corn").waitFor({ state: "detached" });
      await send(page).and(page.locator(":not([aria-disabled])")).waitFor();
      await page.reload();
      await chip(page, "beans.csv").waitFor();
      await page.waitForFunction("document.querySelector('#message').value === 'What is in them?'");
      await press(page, send(page), way);
      await log(page).getByText("Read.").waitFor();
      expect(lastSent(scene)).to.include("What is in them?\\n\\nAdded files: ");
      expect(lastSent(scene)).to.include("`beans.csv`").and.include("`plan b.md`").and.not.include("`corn`");
      await log(page).getByText("beans.csv", { exact: true }).waitFor();
      expect(await chips(page).count()).to.equal(0);
      expect(await filesIn(scene)).to.deep.equal({ "beans.csv": "beans;3\n", "plan b.md": "Sow.\n" });

      await stopButton(page).waitFor({ state: "detached" });
      await page.reload();
      await log(page).getByText("Read.").waitFor();
      await sendText(page, "And now?");
      await log(page).getByText("Nothing new.").waitFor();
      expect(lastSent(scene).match(/Added files/g)).to.have.length(1);
    });

  for (const way of ways)
    it(`ask whether they replace what has their name, and wait for the answer, ${way}`, async () => {
      const scene = await openChat(turns({ text: "Read." }));
      const { page } = scene;
      await choose(page, way, fileOf("notes.md", "3 May\n"));
      await chip(page, "notes.md").waitFor();
      await choose(page, way, fileOf("notes.md", "4 May\n"));
      const second = chips(page).filter({ hasText: "is there already" });
      await second.waitFor();
      await page
        .getByRole("alert")
        .getByText(/is there already/)
        .waitFor({ state: "attached" });
      await field(page).fill("Look");
      await page.keyboard.press("Enter");
      expect(await send(page).getAttribute("title")).to.equal("notes.md is not added yet");
      expect(await log(page).getByRole("article").count()).to.equal(0);
      expect(await filesIn(scene)).to.deep.equal({ "notes.md": "3 May\n" });
      await press(page, second.getByRole("button", { name: "Replace it" }), way);
      await second.waitFor({ state: "detached" });
      await send(page).and(page.locator(":not([aria-disabled])")).waitFor();
      expect(await filesIn(scene)).to.deep.equal({ "notes.md": "4 May\n" });
      expect(await chips(page).count()).to.equal(1);
      // What it replaced is there again, and can be removed as well.
      for (const content of ["3 May\n", undefined]) {
        const taken = page.waitForResponse("**/revert");
        await press(page, chips(page).getByRole("button", { name: "Remove" }), way);
        await taken;
        expect((await filesIn(scene))["notes.md"]).to.equal(content);
      }
      await chips(page).waitFor({ state: "detached" });
    });

  it("are told to be too large, and hold nothing up once they are removed", async () => {
    const scene = await openChat(turns({ text: "Without it, then." }), {
      settings: { "files.max_upload_bytes": 100_000 },
    });
    const { page } = scene;
    await choose(page, "by pointer", fileOf("large.bin", Buffer.alloc(3_000_000)));
    await chip(page, "large.bin")
      .getByText("The upload is larger than files.max_upload_bytes allows")
      .waitFor();
    await chip(page, "large.bin").getByRole("button", { name: "Try again" }).click();
    await chip(page, "large.bin").getByText("The upload is larger than").waitFor();
    await chip(page, "large.bin").getByRole("button", { name: "Remove" }).click();
    expect(await filesIn(scene)).to.deep.equal({});
    await sendText(page, "Go on");
    await log(page).getByText("Without it, then.").waitFor();
    expect(lastSent(scene)).to.not.include("large.bin");
  });

  it("show how much of them has left, and stop when they are removed", async () => {
    const scene = await openChat();
    const { page } = scene;
    const session = await page.context().newCDPSession(page);
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 200_000 };
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", slow);
    await choose(page, "by pointer", fileOf("large.bin", Buffer.alloc(3_000_000)));
    await form(page).locator("progress[value]:not([value='0'])").waitFor();
    await form(page).getByRole("progressbar", { name: "large.bin" }).waitFor();
    await chip(page, "large.bin").getByRole("button", { name: "Remove" }).click();
    await chip(page, "large.bin").waitFor({ state: "detached" });
    expect(await filesIn(scene)).to.deep.equal({});
  });

  it("come by drop and by paste, under names that hide nothing", async () => {
    const scene = await openChat(turns({ text: "Seen." }));
    const { page } = scene;
    await bring(page, "drop", "a`b\u202e.txt", "<img src=x onerror=alert(1)>.txt");
    await chip(page, "a_b_.txt").waitFor();
    await chip(page, "<img src=x onerror=alert(1)>.txt").waitFor();
    await bring(page, "paste", "image.png");
    await chips(page)
      .getByText(/^image-\d{6}\.png$/)
      .waitFor();
    await send(page).and(page.locator("[title='Write a message first']")).waitFor();
    expect(Object.keys(await filesIn(scene))).to.have.length(3);
    for (const colorScheme of ["light", "dark"] as const)
      for (const [width, height] of [
        [1280, 720],
        [640, 400],
        [360, 720],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height });
        expect([await accessibilityFaults(page), await isTooWide(page)]).to.deep.equal([[], false]);
      }
    await sendText(page, "Look");
    await log(page).getByText("Seen.").waitFor();
    expect(await page.locator("img").count()).to.equal(0);
    expect(lastSent(scene)).to.include("`a_b_.txt`");
  });

  it("stay a chip where the message is refused, and its words a draft", async () => {
    const scene = await openChat(turns({ text: "Now." }));
    const { page } = scene;
    await choose(page, "by keyboard", fileOf("notes.md", "3 May\n"));
    await send(page).and(page.locator("[title='Write a message first']")).waitFor();
    const json = { error: { message: "Not now.", code: "refused_for_a_test" } };
    await page.route("**/api/chat/completions", (route) => route.fulfill({ status: 503, json }));
    await sendText(page, "Look");
    await log(page).getByText("Not now.").waitFor();
    expect(await field(page).inputValue()).to.equal("Look");
    expect(await chips(page).count()).to.equal(1);
    await page.unroute("**/api/chat/completions");
    await field(page).press("Enter");
    await log(page).getByText("Now.", { exact: true }).waitFor();
    expect(lastSent(scene).match(/Added files: `notes.md`/g)).to.have.length(1);
  });

  it("are named where changes are not recorded, too, and left out, though they stay", async () => {
    const settings = { "changes.retention_days": 0 };
    const scene = await openChat(turns({ text: "Read." }, { text: "Nothing new." }), { settings });
    const { page } = scene;
    await choose(page, "by pointer", fileOf("beans.csv", "beans;3\n"), fileOf("corn", "c"));
    for (const name of ["beans.csv", "corn"])
      await chip(page, name).getByRole("button", { name: "Leave out" }).waitFor();
    await chip(page, "corn").getByRole("button", { name: "Leave out" }).click();
    await chip(page, "corn").waitFor({ state: "detached" });
    await page.reload();
    await chip(page, "beans.csv").waitFor();
    expect(await chips(page).count()).to.equal(1);
    await sendText(page, "What is in it?");
    await log(page).getByText("Read.").waitFor();
    expect(lastSent(scene)).to.include("What is in it?\\n\\nAdded files: `beans.csv`");
    expect(lastSent(scene)).to.not.include("`corn`");
    expect(await chips(page).count()).to.equal(0);
    expect(await filesIn(scene)).to.deep.equal({ "beans.csv": "beans;3\n", corn: "c" });
    await stopButton(page).waitFor({ state: "detached" });
    await page.reload();
    await log(page).getByText("Read.").waitFor();
    expect(await chips(page).count()).to.equal(0);
    await sendText(page, "And now?");
    await log(page).getByText("Nothing new.").waitFor();
    expect(lastSent(scene).match(/Added files/g)).to.have.length(1);
  });
});
