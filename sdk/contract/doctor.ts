/** One thing that was found when the installation was looked at. */
export interface DoctorFinding {
  /** Different for each of a report: `default_model`, `provider:openai`. */
  readonly id: string;
  /** `note`: it works, but the person should know. */
  readonly level: "ok" | "note" | "fault";
  /** What was looked at. */
  readonly what: string;
  /** How it is; may be empty where `what` and `remedy` say all. */
  readonly detail: string;
  /** What to do; null where nothing has to be done, or where `detail` says it. */
  readonly remedy: string | null;
  /** The view of the page that has to do with it: `#/models`; null = none. */
  readonly address: string | null;
}

/** What was found, the basics first. */
export interface DoctorReport {
  readonly findings: readonly DoctorFinding[];
  /** ISO 8601 in UTC. */
  readonly checkedAt: string;
}

/** Looks at the installation: what is found, what is missing, and how to get it. */
export interface DoctorService {
  /**
   * Takes 15 seconds at most: a check that does not end by then is a fault of its own. Who asks while it is
   * at work gets the same report. Nothing in it is secret. Never rejects.
   */
  check(): Promise<DoctorReport>;
}
