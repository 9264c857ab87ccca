import { expect } from "chai";
import type { Page } from "playwright-core";
import type { ScriptTurn } from "@pergola/sdk/testing";
import { press, scenesInBrowser, turns, ways, type PageScene } from "../support/page-scene.ts";

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
      scene = await openScene(script);
      const { page } = scene;
      await page.goto("/");
      await send(page, "My home is in Berlin", "Noted.");
      expect(await page.getByText("memory used").count()).to.equal(0);
      await send(page, "Where does the person live?", "In Berlin.");

      await press(page, used(page).locator("summary"), way);
      const memory = used(page).getByRole("article");
      await memory.getByText("The person lives in Berlin", { exact: true }).waitFor();
      await memory.getByText(/said on \d+ \w+, \d\d:\d\d in/).waitFor();

      await press(page, memory.getByRole("link"), way, "Enter");
      const said = page.locator(".message:focus");
      await said.getByText("My home is in Berlin").waitFor();
      expect(await said.getAttribute("aria-current")).to.equal("true");
      await page.goBack();

      await page.reload();
      await press(page, used(page).locator("summary"), way);
      await press(page, memory.getByRole("button", { name: "Correct" }), way);
      await page.getByRole("textbox", { name: "What is remembered" }).fill("The person lives in Munich");
      await press(page, memory.getByRole("button", { name: "Save" }), way);
      await memory.getByText("The person lives in Munich", { exact: true }).waitFor();
      await send(page, "Say again where the person lives", "In Munich.");
      expect(lastSent()).to.match(/<memory>.*lives in Munich/);
      expect(/<memory>.*?<\/memory>/.exec(lastSent())?.[0]).to.not.include("Berlin");

      const first = used(page).first();
      if ((await first.getAttribute("open")) === null) await press(page, first.locator("summary"), way);
      await press(page, first.getByRole("button", { name: "Forget", exact: true }), way);
      await press(page, first.getByRole("button", { name: "Forget this" }), way);
      await first.getByText("Forgotten since then").waitFor();
      await page.goto("/#/memory");
      await page.getByText("Nothing is remembered yet.").waitFor();
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
    await page.getByText("Go on from here").waitFor();
    await page.getByRole("button", { name: /^Stop/ }).waitFor({ state: "detached" });
    await page.waitForFunction('document.activeElement.id === "message"');
    expect(await field.and(page.locator(":focus")).count()).to.equal(1);
  });
});
