import type { Instrument, Labels, Series } from "./instrument.ts";

/** A value that is looked up when it is asked for. */
export interface Gauge {
  readonly name: string;
  readonly description: string;
  readonly type: "gauge" | "counter";
  readonly value: () => number;
}

export const expositionType = "text/plain; version=0.0.4; charset=utf-8";

const escaped = (text: string): string =>
  text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');

function sample(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escaped(text)}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}`;
}

const head = (name: string, description: string, type: string): readonly string[] => [
  `# HELP ${name} ${description}`,
  `# TYPE ${name} ${type}`,
];

/** The buckets of the text format count all that is below their bound. */
function bucketsOf(name: string, bounds: readonly number[], { labels, buckets, count }: Series) {
  let below = 0;
  const lines = bounds.map((bound, at) => {
    below += buckets[at] ?? 0;
    return sample(`${name}_bucket`, { le: String(bound), ...labels }, below);
  });
  return [...lines, sample(`${name}_bucket`, { le: "+Inf", ...labels }, count)];
}

function instrumentLines({ facts: { name, description, bounds }, series }: Instrument): readonly string[] {
  if (bounds === undefined)
    return [
      ...head(name, description, "counter"),
      ...series.map(({ labels, sum }) => sample(name, labels, sum)),
    ];
  return [
    ...head(name, description, "histogram"),
    ...series.flatMap((one) => [
      ...bucketsOf(name, bounds, one),
      sample(`${name}_sum`, one.labels, one.sum),
      sample(`${name}_count`, one.labels, one.count),
    ]),
  ];
}

/** The text format of Prometheus, version 0.0.4. */
export function exposition(instruments: readonly Instrument[], gauges: readonly Gauge[]): string {
  const lines = [
    ...instruments.flatMap(instrumentLines),
    ...gauges.flatMap(({ name, description, type, value }) => [
      ...head(name, description, type),
      sample(name, {}, value()),
    ]),
  ];
  return `${lines.join("\n")}\n`;
}
