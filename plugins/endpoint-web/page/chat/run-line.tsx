import { useEffect, useRef } from "preact/hooks";
import type { Run, ToolStatus } from "../link/index.ts";
import { type Answer, isLeft, steer, thread, wordsIn } from "../state/index.ts";
import { clock, count, counted, duration, joined, money } from "../text/format.ts";
import { Button, say, useNow } from "../parts/index.ts";

export const states: Readonly<Record<Run["status"], string>> = {
  queued: "Waits for its turn",
  running: "Working",
  waiting: "Waits for you",
  interrupted: "Interrupted",
  ended: "",
};

export const usedBy = ({ usage: { total_tokens: tokens }, costUsd }: Run) =>
  tokens > 0 && joined(`${count(tokens)} tokens`, money(costUsd));

export function RunLine({ answer }: { readonly answer: Answer }) {
  const run = answer.run.value;
  const now = useNow(!isLeft(run));
  const heard = useRef({ seconds: 0, words: 0 });
  // Who hears the page is told every seven seconds how long the answer has become.
  useEffect(() => {
    const words = wordsIn(answer);
    if (++heard.current.seconds % 7 > 0 || words === heard.current.words) return;
    heard.current.words = words;
    say(`${counted(words, "word")} so far`);
  }, [now]);
  const elapsed = run?.startedAt ? Math.max(0, now - Date.parse(run.startedAt)) : 0;
  const calls = answer.parts.value.flatMap((part) => (part.kind === "tool" ? part.call.value.status : []));
  if (run && isLeft(run)) return <Interrupted run={run} calls={calls} />;
  const facts = joined(
    `${states[run?.status ?? "running"]} ${clock(elapsed / 1000)}`,
    calls.length > 0 && counted(calls.length, "call"),
    run && usedBy(run),
  );
  return (
    <footer class="run-line">
      <span>{facts}</span>
      <Button look="quiet" press={() => thread.peek().stop()} children={["Stop ", <kbd>Ctrl+.</kbd>]} />
    </footer>
  );
}

function Interrupted({ run, calls }: { readonly run: Run; readonly calls: readonly ToolStatus[] }) {
  const unknown = calls.filter((status) => status === "running").length;
  const done = calls.filter((status) => status === "success" || status === "error").length;
  return (
    <section class="approval" aria-label="The service stopped during this run">
      <h3>The service stopped during this run</h3>
      {calls.length > 0 && (
        <p>{counted(done, "call") + " done" + (unknown > 0 ? `, ${unknown} with unknown outcome` : "")}</p>
      )}
      <div class="answers">
        <Button look="primary" press={() => steer(run.id, "resume")} label="Go on" />
        <Button press={() => steer(run.id, "cancel")} label="End here" />
      </div>
    </section>
  );
}

const ends: Readonly<Record<string, string>> = {
  cancelled: "You stopped this run",
  max_iterations_reached: "The run reached its limit of steps",
  tool_execution_failed: "A tool failed",
  error: "The run failed",
};

/** Where a run stands; nothing where it ended as it should. */
export const wordsOf = ({ status, completion_reason: reason }: Run): string =>
  status === "ended" ? (ends[reason ?? ""] ?? "") : states[status];

export const tookOf = ({ startedAt, endedAt }: Run): string =>
  startedAt && endedAt ? duration(Date.parse(endedAt) - Date.parse(startedAt)) : "";

/** How a run ended, where that is worth a word, and why, unless its answer says so; else what it took. */
export function RunEnd({ run, said }: Readonly<{ run: Run | undefined; said: string }>) {
  if (run?.status !== "ended") return null;
  const words = wordsOf(run);
  if (words === "") return <footer class="run-line">{joined(tookOf(run), usedBy(run))}</footer>;
  const reason = run.error && !said.includes(run.error.message) && `: ${run.error.message}`;
  return <footer class="run-line failure" children={[words, reason]} />;
}
