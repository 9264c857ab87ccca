import { expect } from "chai";
import { Counter, Histogram, Registry } from "prom-client";
import { exposition } from "../exposition.ts";
import { Instrument, type Labels } from "../instrument.ts";

const bounds = [0.1, 1, 10];
const overflow = (labels: Labels): Labels => ({ ...labels, model: "other" });
const values: readonly (readonly [string, number])[] = [
  ["plain/model", 0.1],
  ["plain/model", 0.100001],
  ["plain/model", 4],
  ['a "quoted" \\ name\nin two lines', 1000],
];

describe("the text format of Prometheus", () => {
  it("is what prom-client prints for the same values", async () => {
    const registry = new Registry();
    const [name, description] = ["x_seconds", "How long x takes."];
    const histogram = new Histogram({
      name,
      help: description,
      buckets: [...bounds],
      labelNames: ["model", "outcome"],
      registers: [registry],
    });
    const counter = new Counter({
      name: "x_total",
      help: "How often.",
      labelNames: ["model", "outcome"],
      registers: [registry],
    });
    const ours = new Instrument({ name, description, bounds, overflow });
    const total = new Instrument({ name: "x_total", description: "How often.", overflow });
    for (const [model, value] of values) {
      histogram.observe({ model, outcome: "ok" }, value);
      ours.record(value, { model, outcome: "ok" });
      counter.inc({ model, outcome: "ok" }, value);
      total.record(value, { model, outcome: "ok" });
    }
    const lines = (text: string): readonly string[] => text.split("\n").filter((line) => line !== "");
    expect(lines(exposition([ours, total], []))).to.deep.equal(lines(await registry.metrics()));
  });

  it("says what is looked up at the time", () => {
    const gauge = { name: "x", description: "Now.", type: "gauge", value: () => 1.5 } as const;
    expect(exposition([], [gauge])).to.equal("# HELP x Now.\n# TYPE x gauge\nx 1.5\n");
  });

  it("has at most 500 series and one for all others, whatever models there are", () => {
    const ours = new Instrument({ name: "x", description: "x", overflow });
    for (let at = 0; at < 2000; at++) ours.record(1, { model: `model-${at}` });
    ours.record(1, { model: "model-0" });
    expect(ours.series).to.have.lengthOf(501);
    expect(ours.series.at(-1)).to.deep.include({ labels: { model: "other" }, sum: 1500 });
    expect(ours.series[0]?.sum).to.equal(2);
  });
});
