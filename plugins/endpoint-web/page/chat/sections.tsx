import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { holds } from "../state/fold-run.ts";
import { address, type Turn } from "../state/index.ts";
import { AnswerMessage, QuestionMessage } from "./message.tsx";

const sectionSize = 50;
const guessedHeight = 140;

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
      {drawn &&
        turns.map((turn) => {
          if (turn.kind === "user") return <QuestionMessage key={turn.id} turn={turn} />;
          return <AnswerMessage key={turn.id} turn={turn} model={model} />;
        })}
    </div>
  );
}

type SectionProps = Readonly<{ turns: readonly Turn[]; model: string; isLast: boolean }>;

/** The turns in sections; counted from the end, so that older ones in front change no section. */
export function Sections({ turns, model }: Omit<SectionProps, "isLast">) {
  const sections: ComponentChildren[] = [];
  for (let end = turns.length; end > 0; end -= sectionSize) {
    const part = turns.slice(Math.max(0, end - sectionSize), end);
    sections.unshift(<Section key={part[0]?.id} turns={part} model={model} isLast={sections.length < 2} />);
  }
  return <>{sections}</>;
}
