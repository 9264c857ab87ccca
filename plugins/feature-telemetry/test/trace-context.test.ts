import type { Parts } from "@pergola/sdk/host";
import { expect } from "chai";
import { Telemetry } from "../telemetry.ts";
import { contextOfRun, contextOfToolCall, readTraceparent, traceparentOf } from "../trace-context.ts";

const [traceId, spanId] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];

describe("traceparent", () => {
  it("is read as W3C Trace Context says", () => {
    expect(readTraceparent(`00-${traceId}-${spanId}-01`)).to.deep.equal({ traceId, spanId, isSampled: true });
    expect(readTraceparent(`00-${traceId}-${spanId}-02`)?.isSampled).to.equal(false);
    expect(readTraceparent(`cc-${traceId}-${spanId}-01-what-comes-later`)?.traceId).to.equal(traceId);
    const none = [
      undefined,
      "",
      `00-${traceId}-${spanId}`,
      `00-${traceId}-${spanId}-01-more`,
      `00-${traceId}-${spanId}-01more`,
      `ff-${traceId}-${spanId}-01`,
      `00-${"0".repeat(32)}-${spanId}-01`,
      `00-${traceId}-${"0".repeat(16)}-01`,
      `00-${traceId.toUpperCase()}-${spanId}-01`,
      ` 00-${traceId}-${spanId}-01`,
    ];
    for (const text of none) expect(readTraceparent(text), text).to.equal(undefined);
  });

  it("is written as it was read", () => {
    for (const flags of ["00", "01"]) {
      const text = `00-${traceId}-${spanId}-${flags}`;
      expect(traceparentOf(readTraceparent(text)!)).to.equal(text);
    }
  });

  it("of a run is its own, the same each time, and keeps the trace that it came with", () => {
    const own = contextOfRun({ id: "run_1" });
    expect(own).to.deep.equal(contextOfRun({ id: "run_1" }));
    expect(readTraceparent(traceparentOf(own))).to.deep.equal(own);
    const under = contextOfRun({ id: "run_1", trace: `00-${traceId}-${spanId}-00` });
    expect(under).to.deep.equal({ traceId, spanId: own.spanId, isSampled: false });
    const call = contextOfToolCall({ runId: "run_1" }, "call_1");
    expect(call.traceId).to.equal(own.traceId);
    expect(call.spanId).to.not.equal(own.spanId);
  });

  it("of a call outside runs is its own, or that with which it came", () => {
    const own = contextOfToolCall({ runId: null }, "call_1");
    expect(own).to.deep.equal(contextOfToolCall({ runId: null, trace: "none" }, "call_1"));
    expect(own.traceId).to.not.equal(contextOfRun({ id: "run_1" }).traceId);
    const under = contextOfToolCall({ runId: null, trace: `00-${traceId}-${spanId}-00` }, "call_1");
    expect(under).to.deep.equal({ traceId, spanId: own.spanId, isSampled: false });
  });
});

describe("a trace without a receiver", () => {
  const trace = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
  const telemetryWith = (settings: Readonly<Record<string, unknown>>): Telemetry =>
    new Telemetry({ preferences: { get: (key: string) => settings[key] } } as unknown as Parts);
  const handedOn = (telemetry: Telemetry, given: string | undefined) => [
    telemetry.beginEmbedding(given).sent,
    telemetry.traceWithinToolCall({ runId: null, ...(given !== undefined && { trace: given }) }, "call_1"),
    telemetry.traceWithinRun({ id: "run_1", ...(given !== undefined && { trace: given }) }),
  ];

  it("is handed on with embeddings as it came, where it is to be propagated", () => {
    const telemetry = telemetryWith({ "telemetry.otlp_url": "", "telemetry.propagate": true });
    expect(handedOn(telemetry, trace)).to.deep.equal([trace, trace, trace]);
    for (const none of ["no trace", undefined])
      expect(handedOn(telemetry, none)).to.deep.equal([undefined, undefined, undefined]);
  });

  it("is not handed on otherwise", () => {
    const telemetry = telemetryWith({ "telemetry.otlp_url": "", "telemetry.propagate": false });
    expect(handedOn(telemetry, trace)).to.deep.equal([undefined, undefined, undefined]);
  });
});
