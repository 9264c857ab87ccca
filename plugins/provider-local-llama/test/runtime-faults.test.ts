import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { spawn } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import type { AppError } from "@pergola/sdk";
import { callOf, isAlive, never, openBench, textOf, tiny, until, type Bench } from "./support.ts";
import { install, tinyModel } from "./tiny-model.ts";

const endless =
  "{% for a in range(100000) %}{% for b in range(100000) %}{% set c = b %}{% endfor %}{% endfor %}";

describe("a model's process", function () {
  this.timeout(40_000);
  let bench: Bench;
  beforeEach(() => {
    bench = openBench();
  });
  afterEach(() => bench.close());
  const newest = (): number => bench.pids.at(-1) ?? 0;

  it("costs one answer when it crashes, and is started again by the next", async () => {
    process.env["PERGOLA_TEST_API_KEY"] = "sk-not-for-models";
    const events = bench.provider.stream(
      { model: tiny, messages: [{ role: "user", content: "Hi" }], tools: [], sampling: { maxTokens: 4000 } },
      never(),
    );
    await events.next();
    const crashed = newest();
    if (process.platform === "linux")
      expect(readFileSync(`/proc/${crashed}/environ`, "utf8")).to.not.include("sk-not-for-models");
    delete process.env["PERGOLA_TEST_API_KEY"];
    process.kill(crashed, "SIGKILL");
    const error = await (async () => {
      for await (const _ of events);
    })().catch((e: unknown) => e as AppError);
    expect(error).to.include({ code: "provider_error" });
    expect(error?.message).to.include("ended while it worked (SIGKILL). The next request starts it again.");
    const next = await bench.ask();
    expect([next.error, textOf(next.events) === "", newest() === crashed]).to.deep.equal([
      undefined,
      false,
      false,
    ]);
  });

  it("is ended when it says nothing for too long, as by a template without end, and started again by the next call", async () => {
    await bench.close();
    bench = openBench({ models: { [tiny]: { template: endless } }, settings: { timeoutSeconds: 1 } });
    await bench.provider.embed(tiny, ["loads it"], never());
    const hung = newest();
    const { error } = await bench.ask();
    expect(error).to.include({ code: "provider_timeout" });
    await until(() => !isAlive(hung), 1000, "ending it");
    await bench.provider.embed(tiny, ["starts it again"], never());
    expect(newest()).to.not.equal(hung);
  });

  it("ends when nobody has asked it for a while", async () => {
    await bench.close();
    bench = openBench({ idle: 100 });
    await bench.ask({ sampling: { maxTokens: 1 } });
    await until(() => !isAlive(newest()), 2000, "unloading");
  });

  it("that is let go while it answers answers all who ask meanwhile, and ends then", async () => {
    await bench.close();
    bench = openBench({ preferences: { "local.parallel_slots": 2 } });
    const leaving = new AbortController();
    const answer = bench.provider.stream(callOf({ sampling: { maxTokens: 4000 } }), leaving.signal);
    await answer.next();
    const first = newest();
    await bench.provider.unload(tiny);
    expect((await bench.ask({ sampling: { maxTokens: 1 } })).error).to.equal(undefined);
    expect(bench.pids, "it runs once").to.deep.equal([first]);
    leaving.abort(new Error("gone"));
    expect(await answer.next().catch((error: Error) => error.message)).to.equal("gone");
    await until(() => !isAlive(first), 2000, "ending it");
    expect((await bench.ask({ sampling: { maxTokens: 1 } })).error).to.equal(undefined);
    expect(bench.pids).to.have.length(2);
  });

  it("is not started again before the last one has ended", async () => {
    await bench.ask({ sampling: { maxTokens: 1 } });
    const first = newest();
    const alive: boolean[] = [];
    const watch = (): void => void alive.push(isAlive(first));
    subscribe("child_process", watch);
    try {
      const gone = bench.provider.unload(tiny);
      const { error } = await bench.ask({ sampling: { maxTokens: 1 } });
      await gone;
      expect([error, alive]).to.deep.equal([undefined, [false]]);
    } finally {
      unsubscribe("child_process", watch);
    }
  });

  it("does not outlive the host, however that ends", async () => {
    const script = fileURLToPath(new URL("./host-that-dies.ts", import.meta.url));
    const host = spawn(process.execPath, ["--conditions=source", "--import", "tsx", script, bench.folder], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [text] = (await once(host.stdout, "data")) as [Buffer];
    const pid = Number(text);
    expect(isAlive(pid)).to.equal(true);
    host.kill("SIGKILL");
    await until(() => !isAlive(pid), 3000, "ending it");
  });

  it("is not started for a model that does not fit into memory: the message says what would", async () => {
    await bench.close();
    bench = openBench({ availableBytes: 30_000_000, preferences: { "local.context_size": 4096 } });
    const { events, error } = await bench.ask();
    expect(events).to.deep.equal([]);
    expect(error).to.include({ code: "provider_error" });
    expect((error as AppError).message).to.match(
      /not enough memory .*\(1 MB for the model, .* 30 MB are available\. A context of 2048 tokens would fit/,
    );
    const fits = openBench({ availableBytes: 30_000_000, preferences: { "local.context_size": 2048 } });
    expect((await fits.ask({ sampling: { maxTokens: 1 } })).error).to.equal(undefined);
    await fits.close();
    expect(bench.pids).to.deep.equal([]);
  });
});

describe("a model file that is out to do harm (CVE-2026-7482, GGUF family)", function () {
  this.timeout(40_000);

  it("is not listed, with a word in the log, and does not keep the others from it", async () => {
    const bench = openBench();
    const put = (name: string, bytes: Buffer): void =>
      writeFileSync(path.join(bench.folder, `${name}.gguf`), bytes);
    const good = tinyModel();
    const lying = (at: number): Buffer => {
      const bytes = Buffer.from(good);
      bytes.writeBigUInt64LE(2n ** 60n, at);
      return bytes;
    };
    put("a-no-model", Buffer.from("Not a model at all."));
    put("b-tensors", lying(8));
    put("c-entries", lying(16));
    put("d-text", lying(24));
    put("e-empty", Buffer.alloc(0));
    put("f-without-context", tinyModel({ header: { "llama.context_length": { u32: 0 } } }));
    truncateSync(install(bench.folder, "g-cut"), 6000);
    const listed = await bench.provider.listModels(never());
    expect(listed.map(({ id }) => id)).to.deep.equal([tiny]);
    expect(bench.warnings.filter((text) => text.includes("cannot be used and is not listed"))).to.have.length(
      7,
    );
    await bench.close();
  });

  it("that is cut off behind its header fails to load, with the reason", async () => {
    const bench = openBench();
    truncateSync(path.join(bench.folder, `${tiny}.gguf`), 100_000);
    const { error } = await bench.ask();
    expect(error).to.include({ code: "provider_error" });
    expect((error as AppError).message).to.match(/could not be loaded.*(bounds|corrupted|incomplete)/);
    await bench.close();
  });
});
