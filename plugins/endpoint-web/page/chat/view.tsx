import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Button, Failed, Loading, Select } from "../parts/index.ts";
import { address, defaultModel, holds, models, nameOf, offersModels } from "../state/index.ts";
import { thread, type Turn } from "../state/index.ts";
import { ContextButton } from "./context.tsx";
import { Composer } from "./composer.tsx";
import { openFiles } from "./files.tsx";
import { AnswerMessage, QuestionMessage } from "./message.tsx";
import { takeFiles } from "./uploads.tsx";
import { ConnectModel } from "../views/connect.tsx";
import { openOptions } from "../views/options.tsx";

/** What counts as the end, and what as the beginning that older messages are read for, in pixels. */
const [nearEnd, nearBegin] = [60, 1500];

/** Brings the message that the address names into view, once, however far back it is. */
function useNamedMessage(): void {
  const { state, turns } = thread.value;
  const id = address.value[2] === "m" ? address.value[3] : undefined;
  const last = useRef("");
  useEffect(() => {
    if (id === undefined || id === last.current || state.value !== "ready") return;
    const shown = document.getElementById(`message-${turns.value.find((turn) => holds(turn, id))?.id}`);
    if (shown === null) return void thread.peek().loadOlder();
    last.current = id;
    shown.focus();
    shown.scrollIntoView({ block: "center" });
  }, [id, state.value, turns.value]);
}

const [sectionSize, guessedHeight] = [10, 140];

/** A part of a long conversation: drawn while it is near, else a box of its last height. */
function Section({ turns, isLast }: Readonly<{ turns: readonly Turn[]; isLast: boolean }>) {
  const { live } = thread.value;
  const box = useRef<HTMLDivElement>(null);
  const height = useRef(turns.length * guessedHeight);
  const [isNear, setNear] = useState(isLast);
  useEffect(() => {
    const place = box.current;
    if (place === null) return undefined;
    const note: IntersectionObserverCallback = (entries) => {
      const near = entries.at(-1)?.isIntersecting ?? true;
      if (!near) height.current = place.getBoundingClientRect().height || height.current;
      setNear(near);
    };
    const around = { root: place.closest(".scroller"), rootMargin: "1500px 0px" };
    const watcher = new IntersectionObserver(note, around);
    watcher.observe(place);
    return () => watcher.disconnect();
  }, []);
  const drawn = isNear || isLast || turns.some((turn) => holds(turn, address.value[3]));
  return (
    <div ref={box} style={drawn ? {} : { height: `${height.current}px` }}>
      {drawn &&
        turns.map((turn) => {
          if (turn.kind === "user") return <QuestionMessage key={turn.id} turn={turn} />;
          return <AnswerMessage key={turn.id} turn={turn} isLive={turn === live.value} />;
        })}
    </div>
  );
}

/** The turns in sections, counted from what was read first: what comes before or after it moves no other. */
function sectionsOf(turns: readonly Turn[], older: number): ComponentChildren {
  const sections = [...Map.groupBy(turns, (_, at) => Math.floor((at - older) / sectionSize))];
  return sections.map(([number, part], at) => (
    <Section key={number} turns={part} isLast={at > sections.length - 3} />
  ));
}

function Messages() {
  const { turns, older, live, isSending, failure } = thread.value;
  const run = live.value;
  return [
    turns.value.length === 0 && run === undefined && <Welcome />,
    sectionsOf(run === undefined ? turns.value : [...turns.value, run], older.value),
    isSending.value && run === undefined && <p class="run-line">Sending…</p>,
    failure.value !== "" && <p class="failure send-failure">{failure.value}</p>,
  ];
}

const examples = ["What can you do here?", "How do I connect a model?", "Which tools are there?"];

function Welcome() {
  const current = thread.value;
  if (!current.isNew) return <p class="empty">Say what you want done.</p>;
  return (
    <div class="welcome">
      <p class="greeting">What do you want done?</p>
      <div class="answers">
        {examples.map((text) => (
          <Button look="example" press={() => current.send(text)} label={text} />
        ))}
      </div>
    </div>
  );
}

function ModelPicker() {
  const { model } = thread.value;
  const chosen = model.value || defaultModel.value;
  const ids = new Set([...(models.value ?? []).map(({ id }) => id), chosen]);
  if (chosen === "") return null;
  const options = [...ids].map((id) => [id, nameOf(id)] as const);
  const choose = (id: string) => (model.value = id);
  return <Select isLocal aria-label="Model" value={chosen} options={options} choose={choose} />;
}

/** On a narrow screen they are a menu: it gives the focus back before a dialog takes it. */
const closeTools = ({ target }: Event) =>
  target instanceof HTMLButtonElement && document.querySelector<HTMLElement>(":popover-open")?.hidePopover();

export function ChatView() {
  const current = thread.value;
  const scroller = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const state = current.state.value;
  // The style counts from the end: the browser keeps that in view, or what is read.
  const look = (): void => {
    const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = scroller.current ?? {};
    setAtEnd(-scrollTop < nearEnd);
    if (scrollHeight - clientHeight + scrollTop < nearBegin) void current.loadOlder();
  };
  useEffect(() => void (state === "ready" && look()), [state, current.turns.value]);
  const goToEnd = () => scroller.current?.scrollTo({ top: 0 });
  useNamedMessage();
  const endLabel = current.live.value === undefined ? "To the end" : "New text below";
  return (
    <div class="chat" onDragOver={takeFiles} onDrop={takeFiles} onPaste={takeFiles}>
      <header class="chat-head">
        <h1 dir="auto">{current.title.value}</h1>
        <Button isLocal look="quiet more" aria-label="Chat menu" popovertarget="chat-tools" label="…" />
        <div id="chat-tools" popover="auto" onClickCapture={closeTools}>
          <ModelPicker />
          <Button look="quiet" press={openFiles} label="Files" />
          <ContextButton />
          <Button look="quiet" press={() => openOptions(current.id)} label="Options" />
        </div>
      </header>
      <div key={current.id} class="scroller" ref={scroller} onScroll={look}>
        <div class="thread" role="log" aria-live="off" aria-label="Messages">
          {state === "loading" && <Loading />}
          {state === "ready" && <Messages />}
          {typeof state === "object" && <Failed error={state.error} retry={() => current.load()} />}
          {offersModels.value && <ConnectModel />}
        </div>
      </div>
      {!isAtEnd && <Button isLocal look="to-end" press={goToEnd} label={endLabel} />}
      <Composer />
    </div>
  );
}
