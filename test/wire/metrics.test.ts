import { chatReply } from "@pergola/sdk/testing";
import { expect } from "chai";
import { read } from "../architecture/tree.ts";
import { ask, type Stage } from "../support/host.ts";
import { calling, eachItsLab, labCall, openLab, play, saying } from "../support/lab-stage.ts";
import { verifies } from "../support/verifies.ts";

const page = read("docs/telemetry.md");

/** Samples by their names and labels, as a scraper reads them. */
function samplesIn(text: string): ReadonlyMap<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const [, name = "", labels = "", value = ""] = /^(\w+)(\{.*\})? (\S+)$/.exec(line) ?? [];
      return [name + labels, Number(value)];
    }),
  );
}

describe("GET /metrics", () => {
  let stage: Stage;
  before(async () => {
    stage = await openLab([], {
      settings: { "models.prices": { "custom/test": { prompt: 1, completion: 2 } } },
    });
  });
  after(() => stage.end());

  const scrape = async () => {
    const reply = await stage.host.request("GET", "/metrics");
    expect(reply.status).to.equal(200);
    expect(reply.headers.get("content-type")).to.equal("text/plain; version=0.0.4; charset=utf-8");
    return reply.text();
  };

  verifies("metrics:counts", "counts what has happened, and names nobody", async () => {
    await play(stage, [calling(labCall("peek", "x"), labCall("no_such", "x")), saying("Done.")]);
    stage.provider.play(chatReply({ error: { status: 400, message: "no such thing" } }));
    const failed = await stage.host.json("POST", "/api/chat/completions", ask("Go"));
    expect(failed.status).to.equal(400);
    const text = await scrape();
    const samples = samplesIn(text);
    const of = 'model="custom/test",provider="custom"';
    expect(samples.get(`pergola_run_duration_seconds_count{${of},outcome="workflow_complete"}`)).to.equal(1);
    expect(samples.get(`pergola_run_duration_seconds_count{${of},outcome="error"}`)).to.equal(1);
    expect(samples.get(`pergola_model_call_duration_seconds_count{${of},outcome="ok"}`)).to.equal(2);
    const refused = `pergola_model_call_duration_seconds_bucket{le="+Inf",${of},outcome="provider_rejected"}`;
    expect(samples.get(refused)).to.equal(1);
    expect(samples.get(`pergola_model_call_first_chunk_seconds_count{${of}}`)).to.equal(2);
    expect(samples.get('pergola_tool_call_duration_seconds_count{tool="lab",outcome="ok"}')).to.equal(1);
    for (const name of [
      "pergola_input_tokens_total",
      "pergola_output_tokens_total",
      "pergola_cost_usd_total",
    ])
      expect(samples.get(`${name}{${of}}`), name).to.be.above(0);
    for (const name of ["process_resident_memory_bytes", "process_cpu_seconds_total"])
      expect(samples.get(name), name).to.be.above(0);
    const labels = new Set([...text.matchAll(/(\w+)="/g)].map(([, label]) => label));
    expect([...labels].toSorted()).to.deep.equal(["le", "model", "outcome", "provider", "tool"]);
    const names = [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name = ""]) => name);
    const [, table = ""] = /## Prometheus\n([^]*?)\n## /.exec(page) ?? [];
    const documented = [...table.matchAll(/`((?:pergola|process|nodejs)_\w+)`/g)].map(([, name]) => name);
    expect([...new Set(documented)].toSorted()).to.deep.equal(names.toSorted());
  });
});

describe("GET /metrics for callers on other computers", () => {
  const open = eachItsLab();
  const far = { "x-forwarded-for": "203.0.113.9" };

  verifies("metrics:remote", "is closed, unless metrics.allow_remote opens it", async () => {
    for (const allowed of [false, true]) {
      const { host } = await open({ settings: { "metrics.allow_remote": allowed } });
      const { body } = await host.json<{ secret: string }>("POST", "/api/tokens", {
        name: "prometheus",
        scopes: ["read"],
      });
      const bearer = { authorization: `Bearer ${body.secret}` };
      const [, path = ""] = /```yaml\nscrape_configs:[^`]*metrics_path: (\S+)/.exec(page) ?? [];
      const reply = await host.request("GET", path, undefined, { ...far, ...bearer });
      expect(reply.status).to.equal(allowed ? 200 : 403);
      const text = await reply.text();
      expect(text).to.include(
        allowed ? "# TYPE pergola_run_duration_seconds histogram" : "remote_not_allowed",
      );
    }
  });
});
