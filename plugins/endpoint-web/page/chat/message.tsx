import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { signal } from "@preact/signals";
import { address, type Answer, nameOf, type Part, type Question } from "../state/index.ts";
import { clockTime, dayAndTime } from "../text/index.ts";
import { Markdown } from "../text/markdown.tsx";
import { ApprovalCard } from "./approval-card.tsx";
import { ChangesLine } from "./changes.tsx";
import { MemoriesUsed } from "./memories-used.tsx";
import { RunEnd, RunLine } from "./run-line.tsx";
import { ToolRow } from "./tool-card.tsx";

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
function drawParts(parts: readonly Part[], isLive: boolean): ComponentChildren {
  const drawn: ComponentChildren[] = [];
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]!;
    if (part.kind === "text")
      drawn.push(
        <Markdown key={part.id} text={part.text} isGrowing={isLive && index === parts.length - 1} />,
      );
    if (part.kind === "thought")
      drawn.push(
        <details key={part.id} class="tool thought">
          <summary>Thoughts</summary>
          <Markdown text={part.text} isGrowing={isLive} />
        </details>,
      );
    if (part.kind === "ask") drawn.push(<ApprovalCard key={part.id} id={part.id} />);
    if (part.kind !== "tool") continue;
    const row = [part];
    for (let next = parts[index + 1]; next?.kind === "tool"; next = parts[index + 1]) {
      row.push(next);
      index++;
    }
    drawn.push(<ToolRow key={part.id} parts={row} />);
  }
  return drawn;
}

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
