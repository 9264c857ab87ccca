import { call, pathOf, type Run, type RunStep } from "../link/index.ts";
import { Fold, Items, Line, Reading, useRead, View } from "../parts/index.ts";
import { runs } from "../state/index.ts";
import { clock, count, duration, joined, money, visible } from "../text/index.ts";
import { RunLine } from "./runs.tsx";

/** What happened, by the kind of the step; of a decision by its outcome. */
const names: Readonly<Record<string, string>> = {
  shape: "Changed what the model sees",
  model: "Model answered",
  "allow a call": "Allowed a call",
  "deny a call": "Blocked a call",
  "ask a call": "Had you asked",
  ask: "Asked you",
  call: "Called a tool",
  result: "Changed a result",
};

function nameOf({ kind, hook, after }: RunStep): string {
  if (kind === "model" && hook !== null) return "Chose the model";
  return names[kind === "authorize" ? `${after} a call` : kind] ?? kind;
}

function StepLine({ step, begun }: { readonly step: RunStep; readonly begun: string }) {
  const { at, milliseconds, plugin, before, after, note, tokens, costUsd } = step;
  const since = clock((Date.parse(at) - Date.parse(begun)) / 1000);
  const spent = tokens !== null && `${count(tokens)} tokens, ${money(costUsd)}`;
  return (
    <Line
      name={`${since} ${nameOf(step)}`}
      note={[
        joined(plugin ?? "Pergola", duration(milliseconds), spent),
        note && <p>{visible(note)}</p>,
        (before ?? after) !== null && (
          <Fold name="Before and after">
            <pre tabIndex={0}>{visible(before ?? "Nothing")}</pre>
            <pre tabIndex={0}>{visible(after ?? "Nothing")}</pre>
          </Fold>
        ),
      ]}
    />
  );
}

/** A run step by step: who did what, how long it took and what it cost. Read anew as the run goes on. */
export function TimelineView({ id }: { readonly id: string }) {
  const path = ["api", "runs", id];
  const read = useRead(
    () => Promise.all([call<Run>(pathOf(path)), call<{ steps: RunStep[] }>(pathOf([...path, "explain"]))]),
    id + JSON.stringify(runs.value?.find((run) => run.id === id)),
  );
  return (
    <View name="Run">
      <Reading read={read}>
        {([run, { steps }]) => (
          <>
            <Items of={[run]}>{(one) => <RunLine run={one} hasChat />}</Items>
            <Items of={steps} empty="Nothing is known of its steps.">
              {(step) => <StepLine step={step} begun={run.createdAt} />}
            </Items>
          </>
        )}
      </Reading>
    </View>
  );
}
