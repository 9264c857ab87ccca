import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { signal } from "@preact/signals";
import { address, type Answer, nameOf, type Part, type Question } from "../state/index.ts";
import { Fold } from "../parts/index.ts";
import { clockTime, dayAndTime } from "../text/index.ts";
import { Markdown } from "../text/markdown.tsx";
import { ApprovalCard } from "./approval-card.tsx";
import { ChangesLine } from "./changes.tsx";
import { MemoriesUsed } from "./memories-used.tsx";
import { RunEnd, RunLine } from "./run-line.tsx";
import { type ToolPart, ToolRow } from "./tool-card.tsx";

function Head({ who, time }: { readonly who: string; readonly time: string }) {
  return (
    <header class="message-head">
      <h2>
        <span class="who">{who}</span>
        <span class="hidden">, </span>
        <time dateTime={time} title={dayAndTime(time)}>
          {clockTime(time)}
        </time>
      </h2>
    </header>
  );
}

export function QuestionMessage({ turn }: { readonly turn: Question }) {
  const { id } = turn;
  const text = useMemo(() => signal(turn.text), [turn.text]);
  return (
    <article class="message own" id={`message-${id}`} tabIndex={-1} aria-current={address.value[3] === id}>
      <Head who="You" time={turn.time} />
      <Markdown text={text} isGrowing={false} />
    </article>
  );
}

/** Calls that follow one another are drawn together. */
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

export function AnswerMessage({ turn, model, isLive }: AnswerProps) {
  const run = turn.run.value;
  const time = run?.startedAt ?? run?.createdAt ?? turn.time;
  return (
    <article class="message" id={`message-${turn.id}`} tabIndex={-1} aria-busy={isLive}>
      <Head who={nameOf(run?.model ?? model)} time={time} />
      {drawParts(turn.parts.value, isLive)}
      {isLive ? <RunLine answer={turn} /> : <RunEnd run={run} />}
      {!isLive && <ChangesLine id={turn.id} />}
      <MemoriesUsed ids={turn.memories.value} />
    </article>
  );
}

interface AnswerProps {
  readonly turn: Answer;
  readonly model: string;
  readonly isLive: boolean;
}
