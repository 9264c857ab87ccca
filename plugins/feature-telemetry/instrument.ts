/** What a value is counted under; all values of an instrument have the same labels, in the same order. */
export type Labels = Readonly<Record<string, string>>;

/** Values under the same labels. */
export interface Series {
  readonly labels: Labels;
  count: number;
  sum: number;
  min: number;
  max: number;
  /** How many values fell into each bucket; the last one is above all bounds. */
  readonly buckets: number[];
}

/** What an instrument is. */
export interface InstrumentFacts {
  readonly name: string;
  readonly description: string;
  readonly unit?: string;
  /** Upper bounds of a histogram's buckets, ascending; none: a counter. */
  readonly bounds?: readonly number[];
  /** Under which labels a value comes that would have made one series too many. */
  readonly overflow: (labels: Labels) => Labels;
}

/** Series of one instrument; beyond them values go on being counted, all in one. */
const mostSeries = 500;

/** A counter or a histogram since the start, with bounded memory. */
export class Instrument {
  readonly facts: InstrumentFacts;
  readonly #series = new Map<string, Series>();

  constructor(facts: InstrumentFacts) {
    this.facts = facts;
  }

  get series(): readonly Series[] {
    return [...this.#series.values()];
  }

  record(value: number, labels: Labels): void {
    const series = this.#seriesOf(labels);
    series.count += 1;
    series.sum += value;
    series.min = Math.min(series.min, value);
    series.max = Math.max(series.max, value);
    const { bounds } = this.facts;
    if (bounds === undefined) return;
    const bucket = bounds.findIndex((bound) => value <= bound);
    const at = bucket === -1 ? bounds.length : bucket;
    series.buckets[at] = (series.buckets[at] ?? 0) + 1;
  }

  #seriesOf(labels: Labels): Series {
    const key = JSON.stringify(labels);
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    const { bounds, overflow } = this.facts;
    const isFull = this.#series.size >= mostSeries;
    const taken = isFull ? overflow(labels) : labels;
    const takenKey = isFull ? JSON.stringify(taken) : key;
    const series = this.#series.get(takenKey) ?? {
      labels: taken,
      count: 0,
      sum: 0,
      min: Infinity,
      max: -Infinity,
      buckets: bounds === undefined ? [] : Array.from({ length: bounds.length + 1 }, () => 0),
    };
    this.#series.set(takenKey, series);
    return series;
  }
}
