import { tookOf, wordsOf } from "../chat/run-line.tsx";
import type { Run } from "../link/index.ts";
import { Items, Line, Loading, View } from "../parts/index.ts";
import { linkTo, nameOf, runs, steer, titleOf } from "../state/index.ts";
import { count, dayAndTime, joined, money } from "../text/index.ts";

/** A run: how it went, what it took, and the way to its steps. */
export function RunLine({ run, hasChat = false }: { readonly run: Run; readonly hasChat?: boolean }) {
  const { id, conversationId, kind, status, error, model, createdAt, usage, costUsd } = run;
  const tokens = usage.total_tokens > 0 && `${count(usage.total_tokens)} tokens, ${money(costUsd)}`;
  return (
    <Line
      name={<a href={linkTo("runs", id)}>{titleOf(conversationId, kind)}</a>}
      note={joined(wordsOf(run) || "Done", dayAndTime(createdAt), tookOf(run), tokens, nameOf(model))}
      fault={error?.message}
      actions={[
        status !== "ended" && { label: "Stop", act: () => steer(id, "end") },
        status === "interrupted" && { label: "Go on", act: () => steer(id, "resume") },
      ]}
      children={hasChat && <a href={linkTo("c", conversationId)}>Open chat</a>}
    />
  );
}

/** The newest runs, what they took and how they ended. */
export const RunsView = () => (
  <View name="Runs">
    {runs.value === undefined && <Loading />}
    <Items of={runs.value ?? []} empty={runs.value && "No runs yet."}>
      {(run) => <RunLine key={run.id} run={run} />}
    </Items>
  </View>
);
