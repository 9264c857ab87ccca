import type { Instrument, Series } from "./instrument.ts";
import type { Attributes, Span } from "./span.ts";

// OTLP/HTTP in its JSON encoding, version 1: ids are hexadecimal, times are decimal texts of nanoseconds.

const kinds = { internal: 1, client: 3 } as const;
/** Of `flags`: that the next bit has a meaning, and that the parent is elsewhere. */
const [hasRemoteBit, isRemoteBit] = [0x100, 0x200];
const cumulative = 2;

/** `milliseconds` since 1970. */
function nanoseconds(milliseconds: number): string {
  const whole = Math.floor(milliseconds);
  return `${whole}${String(Math.floor((milliseconds - whole) * 1e6)).padStart(6, "0")}`;
}

function valueOf(value: string | number | readonly string[]): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "number")
    return Number.isInteger(value) ? { intValue: value } : { doubleValue: value };
  return { arrayValue: { values: value.map(valueOf) } };
}

const attributesOf = (attributes: Attributes): readonly object[] =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: valueOf(value) }],
  );

/** One span as JSON text. */
export function spanText({ context, parent, kind, name, start, end, attributes, failure }: Span): string {
  const isRemote = parent?.isRemote === true;
  return JSON.stringify({
    traceId: context.traceId,
    spanId: context.spanId,
    parentSpanId: parent?.spanId,
    name,
    kind: kinds[kind],
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(end),
    attributes: attributesOf(attributes),
    droppedAttributesCount: 0,
    events: [],
    droppedEventsCount: 0,
    status: failure === undefined ? { code: 0 } : { code: 2, message: failure },
    links: [],
    droppedLinksCount: 0,
    flags: hasRemoteBit | (isRemote ? isRemoteBit : 0) | (context.isSampled ? 1 : 0),
  });
}

/** Who sends: attributes of the resource, and the version of the scope. */
export interface Origin {
  readonly resource: Attributes;
  readonly version: string;
}

const resourceOf = ({ resource }: Origin): object => ({
  attributes: attributesOf(resource),
  droppedAttributesCount: 0,
});

const scopeOf = ({ version }: Origin): object => ({ name: "pergola", version });

/** The body of a POST to /v1/traces. */
export function tracesBody(origin: Origin, spans: readonly string[]): string {
  const [resource, scope] = [resourceOf(origin), scopeOf(origin)].map((one) => JSON.stringify(one));
  const scopeSpans = `[{"scope":${scope},"spans":[${spans.join(",")}]}]`;
  return `{"resourceSpans":[{"resource":${resource},"scopeSpans":${scopeSpans}}]}`;
}

/** The body of a POST to /v1/metrics: histograms since `start`, in milliseconds since 1970. */
export function metricsBody(
  origin: Origin,
  instruments: readonly Instrument[],
  { start, now }: { readonly start: number; readonly now: number },
): string {
  const point = ({ labels, buckets, count, sum, min, max }: Series, bounds: readonly number[]): object => ({
    attributes: attributesOf(labels),
    bucketCounts: buckets,
    explicitBounds: bounds,
    count,
    sum,
    min,
    max,
    startTimeUnixNano: nanoseconds(start),
    timeUnixNano: nanoseconds(now),
  });
  const metrics = instruments
    .filter(({ series }) => series.length > 0)
    .map(({ facts: { name, description, unit, bounds = [] }, series }) => ({
      name,
      description,
      unit,
      histogram: {
        aggregationTemporality: cumulative,
        dataPoints: series.map((one) => point(one, bounds)),
      },
    }));
  const scopeMetrics = [{ scope: scopeOf(origin), metrics }];
  return JSON.stringify({ resourceMetrics: [{ resource: resourceOf(origin), scopeMetrics }] });
}
