import { expect } from "chai";
import type { Page } from "playwright-core";
import type { ScriptTurn } from "@pergola/sdk/testing";
import { shown } from "../support/chat-page.ts";
import { accessibilityFaults } from "../support/accessibility.ts";
import { gone, within } from "../support/journey-steps.ts";
import { choose, press, reach, scenesInBrowser, turns, ways } from "../support/page-scene.ts";
import type { PageScene } from "../support/page-scene.ts";

const remember: ScriptTurn = {
  toolCalls: [
    {
      name: "memory_operations",
      arguments: { operation: "store_memory", content: "The person lives in Berlin" },
    },
  ],
};

describe("journey E: finding and correcting what is remembered (package chromium)", function () {
  this.timeout(60_000);
  const openScene = scenesInBrowser();
  let scene: PageScene;

  const send = async (page: Page, text: string, answer: string): Promise<void> => {
    await page.getByRole("textbox", { name: "Message" }).fill(text);
    await page.keyboard.press("Enter");
    await page.getByRole("log").getByText(answer, { exact: true }).waitFor();
    await page.getByRole("button", { name: /^Stop/ }).waitFor({ state: "detached" });
  };
  /** What the model was sent last, as one text. */
  const lastSent = (): string => JSON.stringify(scene.project.model.requests.at(-1)?.body);
  const used = (page: Page) => page.locator("details").filter({ hasText: "1 memory used" });

  for (const way of ways)
    it(`E1–E3, E6: sees what an answer was given and where that was said, corrects it and forgets it, ${way}`, async () => {
      const script = turns(remember, { text: "Noted." }, { text: "In Berlin." }, { text: "In Munich." });
      scene = await openScene(script, { way });
      const { page } = scene;
      await page.goto("/");
      await send(page, "My home is in Berlin", "Noted.");
      expect(await shown(page).getByText("memory used").count()).to.equal(0);
      await send(page, "Where does the person live?", "In Berlin.");

      const memory = used(page).getByRole("listitem");
      await within(
        "E1: “1 memory used” → its text and where it was said",
        300,
        await reach(page, used(page).locator("summary"), way),
        memory.getByText("The person lives in Berlin", { exact: true }),
        memory.getByText(/said on \d+ \w+, \d\d:\d\d in/),
      );

      const said = page.locator(".message:focus");
      await within(
        "E2: the way to where it was said → that message",
        500,
        await reach(page, memory.getByRole("link", { name: "My home is in Berlin" }), way, "Enter"),
        said.getByText("My home is in Berlin"),
      );
      expect(await said.getAttribute("aria-current")).to.equal("true");
      await page.goBack();

      await page.reload();
      await press(page, used(page).locator("summary"), way);
      await press(page, memory.getByRole("button", { name: "Correct" }), way);
      await page.getByRole("textbox", { name: "What is remembered" }).fill("The person lives in Munich");
      await within(
        "E3: “Save” → the corrected text",
        300,
        await reach(page, memory.getByRole("button", { name: "Save" }), way),
        memory.getByText("The person lives in Munich", { exact: true }),
      );
      await send(page, "Say again where the person lives", "In Munich.");
      expect(lastSent()).to.match(/<memory>.*lives in Munich/);
      expect(/<memory>.*?<\/memory>/.exec(lastSent())?.[0]).to.not.include("Berlin");

      await press(page, page.getByRole("button", { name: "Context" }), way);
      const context = page.getByRole("dialog", { name: "Context" });
      await press(page, context.getByText(/^Memories · /), way);
      const seen = context.locator("details[open] pre");
      await seen.getByText("lives in Munich").waitFor();
      expect(await seen.textContent()).to.not.include("Berlin");
      await press(page, context.getByRole("button", { name: "Close" }), way);

      const first = used(page).first();
      if ((await first.getAttribute("open")) === null) await press(page, first.locator("summary"), way);
      await press(page, first.getByRole("button", { name: "Forget", exact: true }), way);
      await within(
        "E6: “Forget this” → it is forgotten",
        300,
        await reach(page, first.getByRole("button", { name: "Forget this" }), way),
        first.getByText("Forgotten since then"),
      );
      await page.goto("/#/memory");
      await shown(page).getByText("Nothing is remembered yet.").waitFor();
    });

  for (const way of ways)
    it(`E4, E5: finds what is remembered by filters, and has something remembered for a topic, ${way}`, async () => {
      scene = await openScene(turns(remember, { text: "Noted." }, { text: "At nine." }), { way });
      const { page } = scene;
      const topic = await scene.ask<{ readonly id: string }>("POST", "/api/topics", { name: "House" });
      await page.goto("/");
      await send(page, "My home is in Berlin", "Noted.");
      await page.goto("/#/memory");
      await press(page, shown(page).getByText("Remember something"), way);
      await page.getByRole("textbox", { name: "What to remember" }).fill("The cleaner comes at nine");
      const pick = (list: string, option: string): Promise<void> =>
        choose(page, page.getByRole("combobox", { name: list }), option, way);
      await pick("Remember it in", "Topic: House");
      const listed = page.getByRole("main").getByRole("listitem");
      await within(
        "E5: “Remember” → it is listed as yours",
        300,
        await reach(page, page.getByRole("button", { name: "Remember", exact: true }), way),
        listed.filter({ hasText: "The cleaner comes at nine" }).getByText("you"),
      );
      expect(await listed.count()).to.equal(2);

      const from = page.getByRole("combobox", { name: "From" });
      expect(await from.getByRole("option").allTextContents()).to.have.members([
        "From: all",
        "you 1",
        "the model 1",
      ]);
      await pick("From", "the model 1");
      await listed.getByText("The cleaner").waitFor({ state: "detached" });
      await listed.getByText("The person lives in Berlin").waitFor();
      await pick("From", "From: all");
      await pick("Place", "House 1");
      await listed.getByText("The person lives").waitFor({ state: "detached" });
      await pick("Place", "Place: all");
      await page.getByRole("searchbox", { name: "Search memory" }).fill("cleaner");
      await within(
        "E4: “Search” → what fits, and nothing else",
        300,
        await reach(page, page.getByRole("button", { name: "Search", exact: true }), way),
        ...[gone(listed.getByText("The person lives")), listed.getByText("The cleaner comes at nine")],
      );

      const other = await scene.ask<{ readonly id: string }>("POST", "/v1/conversations", {
        topicId: topic.id,
      });
      await page.goto(`/#/c/${other.id}`);
      await send(page, "When does the cleaner come?", "At nine.");
      expect(lastSent()).to.include("The cleaner comes at nine");
    });

  it("shows the memory that an address names, however many are newer, and leads there from an answer", async () => {
    scene = await openScene(turns({ text: "Hm." }, { text: "At nine." }));
    const { page, ask } = scene;
    const topic = await ask<{ readonly id: string }>("POST", "/api/topics", { name: "House" });
    const remembered = (content: string) =>
      ask<{ readonly id: string }>("POST", "/api/memories", { topicId: topic.id, content });
    const cleaner = await remembered("The cleaner comes at nine");
    const { id: conversationId } = await ask<{ readonly id: string }>("POST", "/v1/conversations", {
      topicId: topic.id,
    });
    await page.goto(`/#/c/${conversationId}`);
    await send(page, "When does the cleaner come?", "Hm.");
    for (let number = 1; number <= 100; number += 1)
      await remembered(`Lamp ${number} stands in room ${number}`);

    await press(page, used(page).locator("summary"), "by keyboard");
    await press(
      page,
      used(page).getByRole("link", { name: "The cleaner comes at nine" }),
      "by keyboard",
      "Enter",
    );
    await shown(page).getByText("101 remembered").waitFor();
    const named = page.locator(".line:focus");
    await named.getByText("The cleaner comes at nine").waitFor();
    expect(page.url()).to.match(new RegExp(`#/memory/${cleaner.id}$`));
    const listed = page.getByRole("main").getByText("The cleaner comes at nine");
    expect(await listed.count()).to.equal(1);
    expect(await accessibilityFaults(page)).to.deep.equal([]);

    const search = page.getByRole("searchbox", { name: "Search memory" });
    await search.fill("Lamp 7 stands in room 7");
    await page.keyboard.press("Enter");
    await shown(page).getByText("Lamp 7 stands in room 7", { exact: true }).waitFor();
    await listed.waitFor({ state: "detached" });
    await page.goto("/#/memory/mem_that_was_forgotten");
    await shown(page).getByText("101 remembered").waitFor();
    expect(await named.count()).to.equal(0);
  });

  it("E2: brings a message into view, however far back it is", async () => {
    scene = await openScene(turns({ text: "A line.\n\nAnother.\n\nA third." }));
    const { page } = scene;
    const messages = Array.from({ length: 260 }, (_, n) => ({
      role: n % 2 === 0 ? "user" : "assistant",
      content: `${n % 2 === 0 ? "Question" : "Answer"} ${n}`,
    }));
    const body = { model: "custom/test", messages: [...messages, { role: "user", content: "The last" }] };
    const {
      service_metadata: { conversation_id: conversationId },
    } = await scene.ask<{ readonly service_metadata: { readonly conversation_id: string } }>(
      "POST",
      "/api/chat/completions",
      body,
    );
    const detail = await scene.ask<{ messages: { id: string; content: string }[] }>(
      "GET",
      `/v1/conversations/${conversationId}`,
    );
    const { id = "" } = detail.messages.find(({ content }) => content === "Question 4") ?? {};
    await page.goto(`/#/c/${conversationId}/m/${id}`);
    const said = page.locator(`[id="message-${id}"]:focus`);
    await said.waitFor();
    const box = await said.boundingBox();
    expect(box!.y).to.be.within(0, 800);
    const field = page.getByRole("textbox", { name: "Message" });
    await field.fill("Go on from here");
    await page.keyboard.press("Enter");
    await shown(page).getByText("Go on from here").waitFor();
    await page.getByRole("button", { name: /^Stop/ }).waitFor({ state: "detached" });
    await page.waitForFunction('document.activeElement.id === "message"');
    expect(await field.and(page.locator(":focus")).count()).to.equal(1);

    await page.goto("/#/search/Question");
    const hits = page.getByRole("listitem").filter({ has: page.locator("mark") });
    await hits.nth(49).waitFor();
    await page.getByRole("button", { name: "More" }).press("Enter");
    await hits.nth(99).waitFor();
    await page.getByRole("button", { name: "More" }).press("Enter");
    await page.getByRole("button", { name: "More" }).waitFor({ state: "detached" });
    expect(await hits.count()).to.equal(130);
  });
});
