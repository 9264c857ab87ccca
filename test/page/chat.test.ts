import { writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { chatsInBrowser, field, log, sendText, shown, stopButton, writes } from "../support/chat-page.ts";
import { turns } from "../support/page-scene.ts";
import { promised } from "../support/promised.ts";

const callOf = (given: object) => ({ name: "file_operations", arguments: { ...given } });

describe("a chat in a browser (package chromium)", function () {
  this.timeout(60_000);
  const openChat = chatsInBrowser();

  it("has the focus where one writes, streams an answer, and gives the conversation an address", async () => {
    const rest = promised();
    const { page } = await openChat(
      turns([{ text: "Hello **there**" }, { until: rest.promise }, { text: ", and *more*." }]),
    );
    await page.keyboard.type("Hi");
    await page.keyboard.press("Enter");
    await log(page).getByText("there", { exact: true }).waitFor();
    expect(await log(page).textContent()).to.not.include("more");
    await page.getByRole("button", { name: "Stop" }).waitFor();
    rest.keep();
    await log(page).getByText("more", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
    expect(page.url()).to.match(/#\/c\/[0-9a-f-]{36}$/);
    await page.getByRole("link", { name: /^Hi/ }).waitFor();
    expect(await field(page).inputValue()).to.equal("");
  });

  it("leaves messages where they are while a run is at work, though nothing can be done with them", async () => {
    const { page } = await openChat(turns({ text: "One" }, [{ text: "Two" }, { hang: true }]));
    await sendText(page, "First");
    const asked = log(page).getByRole("article").first();
    const edit = asked.getByRole("button", { name: "Edit" });
    await edit.waitFor();
    const before = await asked.boundingBox();
    await sendText(page, "Second");
    await log(page).getByText("Two", { exact: true }).waitFor();
    expect(await asked.boundingBox()).to.include({ height: before?.height });
    expect(await edit.count()).to.equal(0);
    await asked.press("e");
    expect(await log(page).getByRole("textbox").count()).to.equal(0);
    await stopButton(page).click();
    await edit.waitFor();
    await asked.press("e");
    await log(page).getByRole("textbox", { name: "Your message" }).waitFor();
    expect(await page.evaluate<string>("document.activeElement.ariaLabel")).to.equal("Your message");
  });

  it("tells who hears the page how long an answer is: seldom while it comes, and at its end", async () => {
    const [first, rest] = [promised(), promised()];
    const scene = await openChat(
      turns([
        { until: first.promise },
        { text: "One two three " },
        { until: rest.promise },
        { text: "four." },
      ]),
    );
    const { page } = scene;
    const heard = page.locator("#polite");
    await page.clock.install();
    await page.reload();
    await sendText(page, "Count");
    await page.clock.runFor(1000);
    await heard.getByText("Answer begins").waitFor();
    first.keep();
    await log(page).getByText("One two three").waitFor();
    await page.clock.runFor(7500);
    await heard.getByText("3 words so far").waitFor();
    await page.clock.runFor(7500);
    rest.keep();
    await page.clock.runFor(100);
    await log(page).getByText("One two three four.").waitFor();
    await page.clock.runFor(1000);
    await heard.getByText("Answer finished, 4 words").waitFor();
  });

  it("tells who hears the page of each call, of questions and of failures at once, one after the other", async () => {
    const folder = temporaryFolder("pergola-heard-");
    const [notes, gate] = [path.join(folder, "notes.md"), promised()];
    writeFileSync(notes, "3 May\n");
    const reads = { toolCalls: [callOf({ operation: "read_file", filePath: notes })] };
    const misses = {
      toolCalls: [callOf({ operation: "read_file", filePath: path.join(folder, "none.md") })],
    };
    const out = path.join(folder, "out.txt");
    const script = turns([{ until: gate.promise }, reads], [reads, reads, reads, misses], writes(out));
    const { page } = await openChat(script);
    // What the two live regions have said, each with the time of the page's clock.
    await page.clock.install();
    await page.reload();
    await page.evaluate(`(() => {
      window.said = [];
      for (const id of ["polite", "urgent"]) {
        const region = document.getElementById(id);
        new MutationObserver(() => window.said.push([id, region.textContent.trim(), Date.now()]))
          .observe(region, { childList: true, characterData: true, subtree: true });
      }
    })()`);
    await sendText(page, "Read it");
    await stopButton(page).waitFor();
    gate.keep();
    await page.getByRole("region", { name: /^Needs your decision/ }).waitFor();
    await page.getByRole("link", { name: /^Waiting\s*1/ }).waitFor();
    await page.clock.runFor(5000);
    await page.route("**/api/approvals/*", (route) =>
      route.fulfill({ status: 503, json: { error: { message: "The store is busy.", code: "busy" } } }),
    );
    await page.getByRole("button", { name: "Write 1 file" }).press("Enter");
    await shown(page).getByText("The store is busy.").first().waitFor();
    await page.clock.runFor(1000);
    const said = await page.evaluate<readonly (readonly [string, string, number])[]>("window.said");
    const texts = said
      .map(([region, text]) => `${region}: ${text}`)
      .filter((text) => !text.endsWith("so far"));
    const call = "polite: Read notes.md, done";
    const asks = texts.find((text) => text.startsWith("urgent: Needs your decision: ")) ?? "";
    expect(asks, texts.join("\n")).to.match(/Alt\+A$/);
    expect(texts).to.have.members([
      "polite: Answer begins",
      ...[call, call, call, call],
      "polite: Read none.md, failed",
      asks,
      "urgent: The store is busy.",
    ]);
    expect(texts.at(-1)).to.equal("urgent: The store is busy.");
    const gaps = said.slice(1).map(([, , at], index) => at - (said[index]?.[2] ?? 0));
    // The page's clock is a millisecond off at times.
    expect(Math.min(...gaps)).to.be.above(395);
    // What has been said is not said again of a run that is drawn anew.
    await page.unroute("**/api/approvals/*");
    await page.evaluate("window.said.splice(0)");
    await page.context().setOffline(true);
    await page
      .locator(".bar")
      .getByText(/^Connection lost/)
      .waitFor();
    await page.context().setOffline(false);
    await page.clock.runFor(20_000);
    await page
      .locator(".bar")
      .getByText(/^Connection lost/)
      .waitFor({ state: "detached" });
    await page.clock.runFor(5000);
    const again = await page.evaluate<readonly (readonly [string, string])[]>("window.said");
    expect(again.filter(([, text]) => text.startsWith("Read "))).to.deep.equal([]);
  });

  it("tells who hears the page of a call that has ended before the run is drawn first", async () => {
    const file = path.join(temporaryFolder("pergola-heard-"), "notes.md");
    writeFileSync(file, "3 May\n");
    const [first, rest] = [promised(), promised()];
    const reads = { toolCalls: [callOf({ operation: "read_file", filePath: file })] };
    const { page, project } = await openChat(turns(reads, [{ text: "And" }, { until: rest.promise }]));
    await page.route("**/api/runs/*/events?*", async (route) => {
      await first.promise;
      await route.continue();
    });
    await page.evaluate(`(() => {
      window.said = [];
      const region = document.getElementById("polite");
      new MutationObserver(() => window.said.push(region.textContent.trim())).observe(region, { childList: true });
    })()`);
    await sendText(page, "Read it");
    while (project.model.requests.length < 2) await setTimeout(20);
    first.keep();
    await log(page).getByText("And", { exact: true }).waitFor();
    rest.keep();
    await page
      .locator("#polite")
      .getByText(/^Answer finished/)
      .waitFor({ state: "attached" });
    expect(await page.evaluate("window.said")).to.deep.equal([
      "Answer begins",
      "Read notes.md, done",
      "Answer finished, 1 word",
    ]);
  });

  it("goes on after a reload in the middle: no gap, nothing twice", async () => {
    const words = Array.from({ length: 60 }, (_, index) => `word${index} `);
    const rest = promised();
    const { page } = await openChat(
      turns([{ text: words.slice(0, 30) }, { until: rest.promise }, { text: words.slice(30) }]),
    );
    await sendText(page, "Count");
    await log(page).getByText("word29").waitFor();
    await page.reload();
    await log(page).getByText("word29").waitFor();
    rest.keep();
    await log(page).getByText("word59").waitFor();
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
    const text = (await log(page).locator(".prose").allTextContents()).join("\n");
    expect(text.match(/word\d+/g)).to.deep.equal(words.map((word) => word.trim()));
    expect(text.match(/Count/g)).to.have.length(1);
  });

  it("keeps what markup, links and code say as text, and runs none of it", async () => {
    const hostile =
      "<img src=x onerror=alert(1)><script>alert(1)</script> [link](javascript:alert(1)) " +
      "![picture](https://elsewhere.example/p.png) `rm\u00ad -r`\n\n```html\n<b onclick=alert(1)>x</b>\n```\n\n$x^2$";
    const { page } = await openChat(turns({ text: hostile }));
    await sendText(page, "Show it");
    await log(page).locator("math").waitFor();
    const text = await log(page).textContent();
    expect(text).to.include("<img src=x onerror=alert(1)>").and.include("rm⟨U+00AD⟩ -r");
    expect(await log(page).locator("img, script, b, iframe, svg:not(.icon)").count()).to.equal(0);
    expect(await log(page).locator("a[href^='javascript']").count()).to.equal(0);
    await log(page).locator(".hljs-tag").first().waitFor();
  });

  it("says when the service is gone, keeps what is written, and goes on when it is back", async () => {
    const scene = await openChat(turns({ text: "Hello." }));
    const { page } = scene;
    await sendText(page, "Hi");
    await log(page).getByText("Hello.").waitFor();
    await scene.service().end("SIGKILL");
    await page
      .locator(".bar")
      .getByText(/^The service cannot be reached\./)
      .waitFor();
    await sendText(page, "Are you there?");
    expect(await field(page).inputValue()).to.equal("Are you there?");
    await scene.start();
    await page
      .locator(".bar")
      .getByText(/^The service cannot be reached\./)
      .waitFor({ state: "detached", timeout: 20_000 });
    await field(page).press("Enter");
    await log(page).getByText("Hello.").nth(1).waitFor();
  });

  it("keeps what is sent while a run works until that ends; a page that is loaded anew has it as the draft", async () => {
    const rest = promised();
    const { page } = await openChat(
      turns([{ text: "First" }, { until: rest.promise }], { text: "The second answer." }),
    );
    await sendText(page, "One");
    await log(page).getByText("First").waitFor();
    await sendText(page, "Two");
    const queued = shown(page).getByText("Sent when this run ends: Two");
    await queued.waitFor();
    await page.getByRole("button", { name: "Take back" }).click();
    expect(await field(page).inputValue()).to.equal("Two");
    const kept = page.waitForResponse((response) => response.request().method() === "PATCH");
    await page.keyboard.press("Enter");
    await queued.waitFor();
    await kept;
    await page.reload();
    await log(page).getByText("First").waitFor();
    await page.waitForFunction("document.querySelector('#message').value === 'Two'");
    await field(page).press("Enter");
    await queued.waitFor();
    rest.keep();
    await log(page).getByText("The second answer.").waitFor();
    expect(await field(page).inputValue()).to.equal("");
  });

  it("leaves room to write and to read however long the message is that waits", async () => {
    const { page } = await openChat(turns([{ text: "First" }, { hang: true }]));
    await sendText(page, "One");
    await log(page).getByText("First").waitFor();
    await sendText(page, "A line that was pasted.\n".repeat(300));
    await shown(page).getByText("Sent when this run ends: A line").waitFor();
    expect((await field(page).boundingBox())?.y).to.be.below(800);
    expect((await log(page).getByText("First").boundingBox())?.y).to.be.within(0, 600);
  });
});
