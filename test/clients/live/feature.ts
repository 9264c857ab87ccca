/** What every client is driven through, in the order of the table. */
export const features = [
  "answer",
  "stream",
  "arguments",
  "steps",
  "parallel",
  "error",
  "cancel",
  "resume",
] as const;

export type Feature = (typeof features)[number];

/** What each feature is, for the table's legend. */
export const meanings: Readonly<Record<Feature, string>> = {
  answer: "a plain answer",
  stream: "text arrives while the model still writes",
  arguments: "arguments of a tool call arrive while the model still writes them",
  steps: "three tool calls, one after the other, the first with text before it",
  parallel: "two tool calls in one turn",
  error: "the model's refusal reaches the person",
  cancel: "the model's request ends when the client stops",
  resume: "a second turn of a session that used a tool",
};

export type Outcome =
  | { readonly verdict: "pass" }
  | { readonly verdict: "miss"; readonly reason: string }
  /** The client has no such feature where it can be driven without a person. */
  | { readonly verdict: "none" };

export const pass: Outcome = { verdict: "pass" };
export const none: Outcome = { verdict: "none" };
export const miss = (reason: string): Outcome => ({ verdict: "miss", reason });

/** Passes when no fault is found. The first fault is the reason: the others mostly follow from it. */
export const judge = (faults: readonly (string | false | undefined)[]): Outcome => {
  const found = faults.filter((fault) => typeof fault === "string");
  return found[0] === undefined ? pass : miss(found[0]);
};
