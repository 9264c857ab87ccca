import { expect } from "chai";
import { jsonReply } from "@pergola/sdk/testing";
import { isTooWide } from "../support/accessibility.ts";
import { chatsInBrowser, log, sendText } from "../support/chat-page.ts";
import { turns } from "../support/page-scene.ts";

/** Where the last character of a text stands, counted from its first one, in pixels. */
const readsFrom = `(place) => {
  const range = document.createRange();
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  const { data } = walker.nextNode();
  const at = (index) => {
    range.setStart(walker.currentNode, index);
    range.setEnd(walker.currentNode, index + 1);
    return range.getBoundingClientRect().left;
  };
  return at(data.trimEnd().length - 1) - at(0);
}`;

/** On how many lines the most broken word of a cell stands. */
const mostLinesOfWord = `(cell) => {
  const range = document.createRange();
  const lines = [...cell.textContent.matchAll(/\\S+/g)].map(({ 0: word, index }) => {
    range.setStart(cell.firstChild, index);
    range.setEnd(cell.firstChild, index + word.length);
    return range.getClientRects().length;
  });
  return Math.max(...lines);
}`;

/** On which side of the list the room for an item's mark is. */
const itemSides = `[...document.querySelectorAll(".prose li")].map((item) => {
  const [list, own] = [item.parentElement, item].map((one) => one.getBoundingClientRect());
  const { direction } = getComputedStyle(item);
  const room = direction === "rtl" ? list.right - own.right : own.left - list.left;
  return room > 15 ? { rtl: "right", ltr: "left" }[direction] : "none";
})`;

const gapsBehindBoxes = `[...document.querySelectorAll(".prose input")].map((box) => {
  const range = document.createRange();
  range.selectNodeContents(box.nextSibling);
  return range.getBoundingClientRect().left - box.getBoundingClientRect().right;
})`;

describe("the text of an answer (package chromium)", function () {
  this.timeout(60_000);
  const openChat = chatsInBrowser();

  it("reads from the right what is written so, and cuts no word of a table", async () => {
    const table =
      "| Description | Price |\n|---|---|\n| A long description, with identifiers_in_it | 1,200.00 |";
    const text = `مرحبا بالعالم، كلمة English هنا.\n\n- عنصر أول.\n\n${table}`;
    const { page } = await openChat(turns({ text }), { width: 360, height: 720 });
    await sendText(page, "اكتب لي من فضلك.");
    await log(page).getByRole("table").waitFor();
    const each = (selector: string, figure: string): Promise<readonly number[]> =>
      page.evaluate(`[...document.querySelectorAll("${selector}")].map(${figure})`);
    const widths = await each(".prose :is(p, li)", readsFrom);
    expect(widths).to.have.length(3);
    expect(Math.max(...widths)).to.be.below(0);
    expect(await each("td, th", mostLinesOfWord)).to.deep.equal([1, 1, 1, 1]);
    expect(await isTooWide(page)).to.equal(false);
  });

  it("has the mark of an item where its text begins, and a gap behind a box to tick", async () => {
    const text = "- עברית\n- English\n\n1. אחת\n2. שתיים\n\n- [ ] To do\n- [x] Done\n\n> ציטוט";
    const { page } = await openChat(turns({ text }));
    await sendText(page, "List it");
    await log(page).getByRole("checkbox").nth(1).waitFor();
    const items = await page.evaluate<readonly string[]>(itemSides);
    expect(items).to.deep.equal(["right", "left", "right", "right", "left", "left"]);
    expect(await page.evaluate(`getComputedStyle(document.querySelector("blockquote")).direction`)).to.equal(
      "rtl",
    );
    const gaps = await page.evaluate<readonly number[]>(gapsBehindBoxes);
    expect(Math.min(...gaps)).to.be.within(6, 12);
  });

  it("leaves a person's own lines as they were ended", async () => {
    const { page } = await openChat(turns({ text: "I see." }));
    await sendText(page, "First line\nSecond line");
    await log(page).getByText("I see.").waitFor();
    expect(await log(page).locator(".own .prose").innerText()).to.equal("First line\nSecond line");
  });

  it("says once why a run has failed", async () => {
    const reason = "Incorrect key provided.";
    const { page } = await openChat([jsonReply({ error: { message: reason } }, { status: 401 })]);
    await sendText(page, "Hi");
    await log(page).getByText("The run failed").waitFor();
    expect((await log(page).textContent())?.split(reason)).to.have.length(2);
    // Of what it did not say there is no message.
    await page.reload();
    await log(page).getByText("The run failed").waitFor();
    expect((await log(page).textContent())?.split(reason)).to.have.length(2);
  });
});
