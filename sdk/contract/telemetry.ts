/** Counts what runs do. */
export interface TelemetryService {
  /** Everything counted since the start, in the text format of Prometheus, version 0.0.4. */
  exposition(): string;
}
