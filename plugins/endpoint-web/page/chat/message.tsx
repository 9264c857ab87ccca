import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { signal } from "@preact/signals";
import { address, holds, linkTo, nameOf, runs, textOf, thread } from "../state/index.ts";
import type { Answer, Part, Question, Turn } from "../state/index.ts";
import { Button, type Fields, focusOn, Fold, Form } from "../parts/index.ts";
import { clockTime, dayAndTime } from "../text/format.ts";
import { copy } from "../text/code.tsx";
import { Markdown } from "../text/markdown.tsx";
import { MemoriesUsed } from "../views/memory.tsx";
import { ApprovalCard } from "./approval-card.tsx";
import { ChangesLine } from "./changes.tsx";
import { RunEnd, RunLine } from "./run-line.tsx";
import { type ToolPart, ToolRow } from "./tool-card.tsx";

/** Which of the messages it is that stand in one place, and the way to those beside it. */
function Branches({ turn, turn: { branches = [] } }: { readonly turn: Turn }) {
  if (branches.length < 2) return null;
  const at = branches.findIndex(({ messageId }) => holds(turn, messageId));
  const way = (label: string, name: string, step: -1 | 1, key?: string) => {
    const go = () => thread.peek().choose(branches.at((at + step) % branches.length)?.messageId);
    return <Button look="quiet" aria-label={name} data-key={key} press={go} label={label} />;
  };
  return (
    <div class="branches">
      {way("<", "Branch before", -1)}
      <span>{`${at + 1} of ${branches.length}`}</span>
      {way(">", "Branch after", 1, "b")}
    </div>
  );
}

type HeadProps = Readonly<{ who: string; time: string; turn: Turn; children: ComponentChildren }>;

/** Who said it and when; and what can be done with it: while a run is at work, its place alone. */
function Head({ who, time, turn, children }: HeadProps) {
  const { live, isSending } = thread.value;
  const copyText = () => copy(textOf(turn), document.getElementById(`message-${turn.id}`));
  return (
    <header class="message-head">
      <h2>
        <span class="who">{who}</span>
        <span class="hidden">, </span>
        <time dateTime={time} title={dayAndTime(time)} children={clockTime(time)} />
      </h2>
      <div class="head-actions" style={{ visibility: live.value || isSending.value ? "hidden" : "" }}>
        <Branches turn={turn} />
        <Button isLocal look="quiet" data-key="c" press={copyText} label="Copy" />
        {children}
      </div>
    </header>
  );
}

export function QuestionMessage({ turn }: { readonly turn: Question }) {
  const { id } = turn;
  const text = useMemo(() => signal(turn.text), [turn.text]);
  const [isEdited, setEdited] = useState(false);
  const send = ({ text: next = "" }: Fields) => {
    setEdited(false);
    if (next !== "") void thread.peek().edit(turn, next);
  };
  return (
    <article class="message own" id={`message-${id}`} tabIndex={-1} aria-current={address.value[3] === id}>
      <Head who="You" time={turn.time} turn={turn}>
        <Button look="quiet" data-key="e" press={() => setEdited(true)} label="Edit" />
      </Head>
      {!isEdited && <Markdown text={text} isGrowing={false} />}
      {isEdited && (
        <Form class="edit" submit={send}>
          <textarea name="text" aria-label="Your message" defaultValue={turn.text} ref={focusOn} />
          <div class="answers">
            <Button look="primary" label="Send this instead" />
            <Button isLocal look="quiet" press={() => setEdited(false)} label="Cancel" />
          </div>
        </Form>
      )}
    </article>
  );
}

const drawParts = (parts: readonly Part[], isLive: boolean): ComponentChildren =>
  parts.map((part, index) => {
    const { kind, id } = part;
    if (kind === "ask") return <ApprovalCard key={id} id={id} />;
    const isGrowing = isLive && index === parts.length - 1;
    const text = kind !== "tool" && <Markdown key={id} text={part.text} isGrowing={isGrowing} />;
    if (kind === "text") return text;
    if (kind === "thought") return <Fold key={id} look="tool thought" name="Thoughts" children={text} />;
    if (parts[index - 1]?.kind === "tool") return null;
    const end = parts.findIndex((one, at) => at > index && one.kind !== "tool");
    return <ToolRow key={id} parts={parts.slice(index, end === -1 ? undefined : end) as ToolPart[]} />;
  });

const runOf = ({ id, run: { value: run } }: Answer) =>
  run?.status === "ended" ? run : (runs.value.find((one) => one.id === id) ?? run);

export function AnswerMessage({ turn, isLive = false }: Readonly<{ turn: Answer; isLive?: boolean }>) {
  const run = runOf(turn);
  const time = run?.startedAt ?? run?.createdAt ?? turn.time;
  return (
    <article class="message" id={`message-${turn.id}`} tabIndex={-1} aria-busy={isLive}>
      <Head who={nameOf(run?.model ?? thread.value.model.value) || "Assistant"} time={time} turn={turn}>
        {turn.id.startsWith("run_") && <a href={linkTo("runs", turn.id)}>Steps</a>}
        <Button look="quiet" press={() => thread.peek().answerAgain(turn)} label="Answer again" />
      </Head>
      {drawParts(turn.parts.value, isLive)}
      {isLive ? <RunLine answer={turn} /> : <RunEnd run={run} said={textOf(turn)} />}
      {!isLive && <ChangesLine id={turn.id} />}
      <MemoriesUsed ids={turn.memories.value} />
    </article>
  );
}
