import { existsSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { chatReply, mockProviderServer, type MockProviderServer } from "@pergola/sdk/testing";
import { install } from "../../plugins/provider-local-llama/test/tiny-model.ts";
import { shown } from "../support/chat-page.ts";
import { untilSeen, within } from "../support/journey-steps.ts";
import { ModelSource } from "../support/model-source.ts";
import { choose, press, reach, scenesInBrowser, ways } from "../support/page-scene.ts";
import type { PageScene, Way } from "../support/page-scene.ts";

const key = "the-one-key-of-this-vendor";
const file = "tiny-Q4_K_M.gguf";

describe("journey A: from no model to a connected one in three clicks (package chromium)", function () {
  this.timeout(60_000);
  const openScene = scenesInBrowser();
  let scene: PageScene;
  let ollama: MockProviderServer;
  let vendor: MockProviderServer;
  let source: ModelSource;

  beforeEach(async () => {
    ollama = await mockProviderServer(chatReply({ text: "From Ollama." }), {
      models: ["nomic-embed-text", "qwen3:8b"],
    });
    vendor = await mockProviderServer(chatReply({ text: "From the vendor." }), {
      models: ["large", "small"],
      key,
    });
    source = await ModelSource.open({ [file]: { size: 3_000_000 } });
  });
  afterEach(async () => {
    await Promise.all([ollama.close(), vendor.close(), source.close()]);
  });

  /** A service that knows no model but the guide, and a window that shows nothing yet. */
  const open = async (way: Way): Promise<Page> => {
    scene = await openScene(undefined, {
      way,
      settings: {
        "providers.list": undefined,
        default_model: undefined,
        "models.overrides": undefined,
        "providers.local_servers": { ollama: ollama.baseUrl, lmstudio: "http://127.0.0.1:9/v1" },
        "downloads.base_url": source.url,
        "secrets.store": "file",
      },
    });
    return scene.page;
  };
  const begin = async (way: Way): Promise<Page> => {
    const page = await open(way);
    await page.goto("/");
    await field(page).waitFor();
    return page;
  };
  const field = (page: Page) => page.getByRole("textbox", { name: "Message" });
  const ask = async (page: Page, text: string, answer: string): Promise<void> => {
    await field(page).fill(text);
    await page.keyboard.press("Enter");
    await page.getByRole("log").getByText(answer).first().waitFor();
    await page.getByRole("button", { name: /^Stop/ }).waitFor({ state: "detached" });
  };
  const openChat = async (page: Page): Promise<Page> => {
    await page.goto("/#/");
    await field(page).waitFor();
    return page;
  };
  const connect = (page: Page) => page.getByRole("region", { name: "Connect a model" });
  const chosen = (page: Page): Promise<string> => page.getByRole("combobox", { name: "Model" }).inputValue();
  const focused = (page: Page) => page.locator("#message:focus");
  const isChosen = (page: Page, model: string) => async () => (await chosen(page)) === model;

  for (const way of ways) {
    it(`A1–A3: finds what runs here, answers without it, and uses it, ${way}`, async () => {
      const page = await open(way);
      const rows = connect(page);
      const ownWays = [rows.getByText("Use a key"), rows.getByText("Download a model")];
      const show = () =>
        within(
          "A1: the page is opened → it takes a message and offers ways to a model",
          500,
          () => page.goto("/"),
          ...[focused(page), ...ownWays],
        );
      const detected = [rows.getByText("Ollama runs here"), rows.getByText("2 models")];
      await within("A1: the page is opened → what runs here is found", 1000, show, ...detected);
      expect(await chosen(page)).to.match(/^embedded\//);
      expect(source.asked, "asked before anybody looked for a model").to.have.length(0);

      const send = () => page.keyboard.press("Enter");
      await field(page).fill("hello");
      const answer = page.getByRole("log").locator("article:not(.own) .prose").getByText(/./).first();
      await within("A2: a message is sent → the guide answers", 1000, send, answer);
      await page.getByRole("button", { name: /^Stop/ }).waitFor({ state: "detached" });
      for (const row of [...detected, ...ownWays]) await row.waitFor();

      await within(
        "A3: “Use qwen3:8b” → connected and chosen",
        1000,
        await reach(page, rows.getByRole("button", { name: "Use qwen3:8b" }), way),
        ...[rows.getByText("Connected"), focused(page), isChosen(page, "ollama/qwen3:8b")],
      );
      await page.keyboard.type("And now?");
      const itsAnswer = page.getByRole("log").getByText("From Ollama.");
      await within("A3: the next message is sent → the model answers", 1000, send, itsAnswer);
      expect(await connect(page).count()).to.equal(0);
    });

    it(`A4–A5: refuses a wrong key, keeps the right one out of sight, and uses a model of the vendor, ${way}`, async () => {
      const page = await begin(way);
      const rows = connect(page);
      await press(page, rows.getByText("Use a key"), way, "Enter");
      await choose(page, rows.getByRole("combobox", { name: "Vendor" }), "Another, by its address", way);
      await rows.getByRole("textbox", { name: "Address" }).fill(vendor.baseUrl);
      const secret = rows.getByLabel("Key", { exact: true });
      await secret.fill("wrong-key-of-somebody");
      const connects = rows.getByRole("button", { name: "Connect" });
      const refusal = rows.getByText("It refused this key");
      const tries = await reach(page, connects, way);
      await within("A4: “Connect” with a wrong key → it is refused", 3000, tries, refusal);
      await page.getByRole("alert").getByText("It refused this key").waitFor({ state: "attached" });
      const described = (await secret.getAttribute("aria-describedby")) ?? "";
      expect(await page.locator(`#${described}`).textContent()).to.equal("It refused this key");
      expect(await secret.inputValue()).to.equal("");
      expect(
        await scene.ask<{ providers: { id: string }[] }>("GET", "/api/providers"),
      ).to.not.have.nested.property("providers[1]");

      const answers: string[] = [];
      page.on(
        "response",
        (answer) =>
          void answer.text().then(
            (text) => answers.push(text),
            () => undefined,
          ),
      );
      await secret.fill(key);
      const use = rows.getByRole("button", { name: "Use custom/large" });
      const triesAgain = await reach(page, connects, way);
      await within("A5: “Connect” with the right key → models to choose from", 3000, triesAgain, use);
      await within(
        "A5: “Use custom/large” → chosen",
        3000,
        await reach(page, use, way),
        ...[focused(page), isChosen(page, "custom/large")],
      );
      await ask(page, "Who are you?", "From the vendor.");
      await page.goto("/#/models");
      await page.reload();
      await shown(page).getByText("Key stored on this computer").waitFor();

      // Another one by its address takes nothing from the first.
      await press(page, rows.getByText("Use a key"), way, "Enter");
      await choose(page, rows.getByRole("combobox", { name: "Vendor" }), "Another, by its address", way);
      await rows.getByRole("textbox", { name: "Address" }).fill(ollama.baseUrl);
      await secret.fill("any-key-will-do");
      await press(page, connects, way);
      await rows.getByRole("button", { name: "Use custom_2/qwen3:8b" }).waitFor();
      await ask(await openChat(page), "Are you still there?", "From the vendor.");
      expect(answers.length).to.be.above(3);
      expect(answers.filter((text) => text.includes(key))).to.deep.equal([]);
      expect(await page.content()).to.not.include(key);
      expect(await page.evaluate("JSON.stringify(localStorage)")).to.not.include(key);

      await page.goto("/#/models");
      const provider = page.locator(".line").filter({ hasText: ollama.baseUrl.replace(/\/v1$/, "") });
      await press(page, provider.getByRole("button", { name: /^Remove: / }), way);
      await press(page, provider.getByRole("button", { name: "Remove this" }), way);
      await provider.waitFor({ state: "detached" });
      const { providers } = await scene.ask<{ providers: { id: string }[] }>("GET", "/api/providers");
      expect(providers.map(({ id }) => id)).to.deep.equal(["custom", "embedded"]);
    });

    it(`A6: downloads a model over a reload, and offers it, ${way}`, async () => {
      const page = await begin(way);
      source.pace = 600_000;
      const rows = connect(page);
      await press(page, rows.getByText("Download a model"), way, "Enter");
      await rows.getByText("Q4_K_M · 3 MB · fits this computer").waitFor();
      await rows
        .getByText(/^[\d.]+ GB free on this disk · [\d.]+ [GM]B free of [\d.]+ GB of memory$/)
        .waitFor();
      await press(page, rows.getByRole("button", { name: "Download: owner/model" }), way);
      const bar = rows.getByRole("progressbar");
      await bar.waitFor();
      let come: string | null;
      const look = async () => (come = await bar.getAttribute("value"));
      const changes = async () => (await bar.getAttribute("value")) !== come;
      await look();
      await untilSeen(changes);
      await within("A6: a download tells how much has come → it tells it anew", 500, look, changes);
      await rows.getByText(/^[12] MB of 3 MB · \d+ [kM]B a second · .* left$/).waitFor();
      await page.reload();
      await rows.getByText(/^[12] MB of 3 MB · /).waitFor();
      await press(page, rows.getByRole("button", { name: "Cancel" }), way);
      await rows.getByText("Cancelled").waitFor();
      expect(await rows.getByText("Ready").count()).to.equal(0);
      await press(page, rows.getByRole("button", { name: "Go on" }), way);
      await rows.getByText("Ready").waitFor({ timeout: 20_000 });
      await press(page, rows.getByRole("button", { name: "Use it" }), way);
      await focused(page).waitFor();
      expect(await chosen(page)).to.equal("llama/owner/model/tiny-Q4_K_M");
    });

    it(`A6: pauses a download over a reload, and goes on where it was, ${way}`, async () => {
      const page = await begin(way);
      source.pace = 600_000;
      const rows = connect(page);
      await press(page, rows.getByText("Download a model"), way, "Enter");
      await press(page, rows.getByRole("button", { name: "Download: owner/model" }), way);
      await rows.getByText(/^[12] MB of 3 MB · /).waitFor();
      await press(page, rows.getByRole("button", { name: "Pause" }), way);
      await rows.getByText(/^Stopped at [12] MB of 3 MB$/).waitFor();
      expect(await rows.getByRole("button", { name: "Use it" }).count()).to.equal(0);
      await page.reload();
      await rows.getByText(/^Stopped at [12] MB of 3 MB$/).waitFor();
      await press(page, rows.getByRole("button", { name: "Go on" }), way);
      await rows.getByText("Ready").waitFor({ timeout: 20_000 });
      const ranges = source.asked.flatMap(({ headers }) => headers["range"] ?? []);
      expect(ranges.filter((range) => /^bytes=[1-9]\d{5,}-$/.test(String(range)))).to.have.length(1);
    });

    it(`deletes a model of this computer once a person says so twice, and shows a refusal, ${way}`, async () => {
      const page = await begin(way);
      const id = "llama/tests/tiny/tiny-F32";
      const file = install(path.join(scene.project.data, "models"));
      // The files are looked at when the service starts.
      await scene.service().end("SIGTERM");
      await scene.start();
      await page.goto("/#/models");
      await page.reload();
      const line = (name: string) => page.locator(".line").filter({ hasText: name });
      const button = (name: string) => line(id).getByRole("button", { name, exact: true });
      await press(page, button(`Delete: ${id}`), way);
      await press(page, button("Keep it"), way);
      const refusal = { message: "A run uses it; cancel it or wait for its end.", code: "in_use" };
      await page.route("**/api/models/llama%2F*", (route) =>
        route.fulfill({ status: 409, json: { error: refusal } }),
      );
      await press(page, button(`Delete: ${id}`), way);
      await press(page, button("Delete this"), way);
      await line(id).getByText(refusal.message).waitFor();
      expect(existsSync(file)).to.equal(true);
      await page.unroute("**/api/models/llama%2F*");
      await press(page, button(`Delete: ${id}`), way);
      await press(page, button("Delete this"), way);
      await line(id).waitFor({ state: "detached" });
      expect(existsSync(file)).to.equal(false);
      const guide = line("Built-in guide").first();
      await guide.waitFor();
      expect(await guide.getByRole("button", { name: /^Delete/ }).count(), "what is no file").to.equal(0);
    });
  }
});
