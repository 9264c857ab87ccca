import { useEffect, useRef, useState } from "preact/hooks";
import { holds } from "../state/fold-run.ts";
import { address, type Turn } from "../state/index.ts";
import { AnswerMessage, QuestionMessage } from "./message.tsx";

const sectionSize = 50;
const guessedHeight = 140;

function TurnMessage({ turn, model }: { readonly turn: Turn; readonly model: string }) {
  if (turn.kind === "user") return <QuestionMessage turn={turn} />;
  return <AnswerMessage turn={turn} model={model} isLive={false} />;
}

/** A part of a long conversation: drawn while it is near, else a box of its last height. */
function Section({ turns, model, isLast }: SectionProps) {
  const box = useRef<HTMLDivElement>(null);
  const height = useRef(turns.length * guessedHeight);
  const [isNear, setNear] = useState(isLast);
  useEffect(() => {
    const place = box.current;
    if (place === null) return undefined;
    const root = place.closest(".scroller");
    const watcher = new IntersectionObserver(
      (entries) => {
        const near = entries.at(-1)?.isIntersecting ?? true;
        if (!near) height.current = place.offsetHeight || height.current;
        setNear(near);
      },
      { root, rootMargin: "1500px 0px" },
    );
    watcher.observe(place);
    return () => watcher.disconnect();
  }, []);
  const drawn = isNear || isLast || turns.some((turn) => holds(turn, address.value[3]));
  return (
    <div ref={box} style={drawn ? {} : { height: `${height.current}px` }}>
      {drawn && turns.map((turn) => <TurnMessage key={turn.id} turn={turn} model={model} />)}
    </div>
  );
}

interface SectionProps {
  readonly turns: readonly Turn[];
  readonly model: string;
  readonly isLast: boolean;
}

/** The turns in sections; counted from the end, so that older ones in front change no section. */
export function Sections({ turns, model }: { readonly turns: readonly Turn[]; readonly model: string }) {
  const first = turns.length % sectionSize;
  const starts = [...(first > 0 ? [0] : [])];
  for (let at = first; at < turns.length; at += sectionSize) starts.push(at);
  return (
    <>
      {starts.map((start, index) => (
        <Section
          key={turns[start]?.id}
          turns={turns.slice(start, starts[index + 1] ?? turns.length)}
          model={model}
          isLast={index >= starts.length - 2}
        />
      ))}
    </>
  );
}
