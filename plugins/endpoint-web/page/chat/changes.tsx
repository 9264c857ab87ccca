import { useEffect, useState } from "preact/hooks";
import { call, messageOf, pathOf } from "../link/index.ts";
import type { ChangePage, FileChangeRecord, RevertOutcome } from "../link/index.ts";
import { Button, Fold, openPanel, say, useAct, useRead } from "../parts/index.ts";
import { thread } from "../state/index.ts";
import { count, counted, visible } from "../text/format.ts";
import { DiffFrom, Path, WholeFile } from "./diff.tsx";

const actions = { restored: "put back", removed: "removed", renamed: "named as before" } as const;

export const revert = (id: string, body: object): Promise<RevertOutcome> =>
  call(pathOf(["api", "runs", id, "revert"]), "POST", body);

const wordsOf = ({ reverted: { length } }: RevertOutcome): string =>
  length === 0 ? "Nothing was taken back" : `${counted(length, "file")} taken back`;

const nothing = { changes: [], gaps: [], reverted: [], refused: [], refusal: "" };

/** What a run has changed, and what taking it back would do; `refusal` where nothing can be taken back. */
async function read(id: string) {
  const [page, plan] = await Promise.all([
    call<ChangePage>(pathOf(["api", "runs", id, "changes"], { limit: 1000 })),
    revert(id, { dryRun: true, partial: true }).catch((error) => ({ refusal: messageOf(error) })),
  ]);
  return { ...nothing, ...page, ...plan };
}

type Plan = Readonly<{ words?: string; isRefused?: boolean }>;

/** A changed file. What differs is read when it is opened; of a refused one, what has come since. */
function File({ change: { id, path, kind }, plan: { words, isRefused } = {}, isOpen }: FileProps) {
  const look = isRefused ? "failure" : "faint";
  const diff = (whole?: boolean) =>
    pathOf(["api", "changes", id, "diff"], { against: isRefused ? "now" : "run", whole });
  return (
    <Fold
      isOpen={isOpen}
      name={[<Path path={path} />, ` ${kind} `, <span class={look}>{words && `· ${visible(words)}`}</span>]}
    >
      <DiffFrom path={diff()} />
      {kind === "modified" && <WholeFile path={diff(true)} />}
    </Fold>
  );
}

type FileProps = Readonly<{ change: FileChangeRecord; plan: Plan | undefined; isOpen: boolean }>;

/** What a run has changed, open at the files of a call. */
function Changes({ id, callId }: Readonly<Record<"id" | "callId", string>>) {
  const [leavesOut, setLeavesOut] = useState(false);
  const [done, setDone] = useState<RevertOutcome | undefined>(undefined);
  const { failure, act } = useAct();
  const takeBack = (target: string, body: object) =>
    act(async () => {
      const outcome = await revert(target, body);
      say(wordsOf(outcome));
      setDone(target === id ? outcome : undefined);
      void thread.peek().readChanges();
    });
  const { value, error } = useRead(() => read(id), `${id} ${done?.revertId}`);
  const { changes, gaps, reverted, refused, refusal } = value ?? nothing;
  const isRead = value !== undefined;
  useEffect(() => document.querySelector<HTMLElement>("dialog details[open] summary")?.focus(), [isRead]);
  const unsure = gaps.map(({ reason }) => `This list may not be whole: ${reason}`);
  const plans = new Map<string, Plan>([
    ...reverted.map(({ path, action }) => [path, { words: `would be ${actions[action]}` }] as const),
    ...refused.map(({ path, reason }) => [path, { words: `refused: ${reason}`, isRefused: true }] as const),
  ]);
  const unread = error === undefined ? "" : messageOf(error);
  const faults = [...unsure, failure, unread, done ? "" : refusal].filter(Boolean);
  const isBlocked = reverted.length === 0 || (refused.length > 0 && !leavesOut);
  return [
    faults.map((text) => <p class="failure">{visible(text)}</p>),
    changes.map((change) => (
      <File key={change.id} change={change} plan={plans.get(change.path)} isOpen={change.callId === callId} />
    )),
    refused.length > 0 && (
      <label>
        <input type="checkbox" checked={leavesOut} onChange={() => setLeavesOut(!leavesOut)} /> Leave out what
        is refused
      </label>
    ),
    done && <p class="done">{wordsOf(done)}</p>,
    <div class="answers">
      <Button
        look="primary"
        disabled={isBlocked}
        press={() => takeBack(id, { partial: leavesOut })}
        label={`Take back ${reverted.length} of ${counted(reverted.length + refused.length, "file")}`}
      />
      {done?.revertId && <Button press={() => takeBack(done.revertId ?? "", {})} label="Undo this" />}
    </div>,
  ];
}

/** How many lines came and went; nothing where they were not counted, or a file was changed twice. */
function linesOf(changes: readonly FileChangeRecord[], files: number): string {
  const sum = (of: "additions" | "deletions") => changes.reduce((all, one) => all + (one[of] ?? NaN), 0);
  const [added, removed] = [sum("additions"), sum("deletions")];
  return changes.length > files || isNaN(added + removed) ? "" : `+${count(added)} −${count(removed)}`;
}

/** How much a run, or one of its calls, has changed in files, and the way to see it and to take it back. */
export function ChangesLine({ id }: { readonly id: string }) {
  const own = thread.value.changes.value.filter(({ rootRunId, callId }) => rootRunId === id || callId === id);
  const number = new Set(own.map(({ path }) => path)).size;
  if (own[0] === undefined) return null;
  const runId = own[0].rootRunId ?? id;
  const isUndone = own.every(({ revertedBy }) => revertedBy !== null);
  const files = counted(number, "file");
  const view = () => openPanel("Changes", <Changes id={runId} callId={id} />);
  const words = isUndone ? `${files} taken back` : `${files} changed`;
  return (
    <p class="run-line">
      {runId !== id && !isUndone ? `Changed ${files}` : words}{" "}
      <span class="counts">{linesOf(own, number)}</span>
      <Button look="quiet" press={view} label="View" />
      {runId === id && !isUndone && <Button look="quiet" press={view} label="Take back…" />}
    </p>
  );
}
