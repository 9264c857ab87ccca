import { useState } from "preact/hooks";
import { states, tookOf, usedBy, wordsOf } from "../chat/run-line.tsx";
import { call, pathOf, type Run, type RunStep } from "../link/index.ts";
import { Fold, From, Items, Line, Select, Texts } from "../parts/index.ts";
import { linkTo, nameOf, runs, steer, titleOf } from "../state/index.ts";
import { clock, count, dayAndTime, duration, joined, money, visible } from "../text/format.ts";

function RunLine({ run, hasChat = false }: { readonly run: Run; readonly hasChat?: boolean }) {
  const { id, conversationId, kind, status, error, model, createdAt } = run;
  return (
    <Line
      name={<a href={linkTo("runs", id)}>{titleOf(conversationId, kind)}</a>}
      note={joined(wordsOf(run) || "Done", dayAndTime(createdAt), tookOf(run), usedBy(run), nameOf(model))}
      fault={error?.message}
      actions={[
        status !== "ended" && { label: "Stop", act: () => steer(id, "cancel") },
        status === "interrupted" && { label: "Go on", act: () => steer(id, "resume") },
      ]}
      children={hasChat && <a href={linkTo("c", conversationId)}>Open chat</a>}
    />
  );
}

const midnight = (daysAgo: number): string =>
  new Date(new Date().setHours(0, 0, 0, 0) - daysAgo * 24 * 60 * 60 * 1000).toISOString();

/** Runs, the newest first: all, or those of a state or a time. Read anew as one begins, goes on or ends. */
export function RunsView() {
  const [query, setQuery] = useState({ status: "", from: "", limit: 50 });
  const path = pathOf(["api", "runs"], query);
  const now = runs.value.map(({ id, status }) => id + status).join();
  const options = Object.entries({ "": "All", ...states, ended: "Ended" });
  const times = Object.entries({ "": "Any time", [midnight(0)]: "Today", [midnight(6)]: "Last 7 days" });
  const more = () => setQuery({ ...query, limit: query.limit + 50 });
  const empty = query.status + query.from ? "No such runs." : "No runs yet.";
  return [
    <div class="answers">
      <Select aria-label="State" options={options} choose={(status) => setQuery({ ...query, status })} />
      <Select aria-label="Time" options={times} choose={(from) => setQuery({ ...query, from })} />
    </div>,
    <From<{ runs: readonly Run[]; count: number }> path={path} anew={now}>
      {({ runs: found, count: number }) => (
        <Items of={found} empty={empty} count={number} more={more}>
          {(run) => <RunLine key={run.id} run={run} />}
        </Items>
      )}
    </From>,
  ];
}

function StepLine({ step, begun }: { readonly step: RunStep; readonly begun: string }) {
  const { at, milliseconds, plugin, before, after, note, tokens, costUsd } = step;
  const since = clock((Date.parse(at) - Date.parse(begun)) / 1000);
  const texts = <Texts of={{ Before: before ?? "", After: after ?? "" }} />;
  const spent = tokens !== null && `${count(tokens)} tokens, ${money(costUsd)}`;
  return (
    <Line
      name={`${since} ${step.title}`}
      note={[
        joined(plugin ?? "Pergola", duration(milliseconds), spent),
        note && <p>{visible(note)}</p>,
        (before ?? after) !== null && <Fold name="Before and after" children={texts} />,
      ]}
    />
  );
}

/** A run step by step: who did what, how long it took and what it cost. Read anew as the run goes on. */
export function TimelineView({ id }: { readonly id: string }) {
  const path = pathOf(["api", "runs", id]);
  const read = () => Promise.all([call<Run>(path), call<{ steps: RunStep[] }>(`${path}/explain`)]);
  return (
    <From path={path} read={read} anew={JSON.stringify(runs.value.find((run) => run.id === id))}>
      {([run, { steps }]) => [
        <Items of={[run]}>{(one) => <RunLine run={one} hasChat />}</Items>,
        <Items of={steps} empty="Nothing is known of its steps.">
          {(step) => <StepLine step={step} begun={run.createdAt} />}
        </Items>,
      ]}
    </From>
  );
}
