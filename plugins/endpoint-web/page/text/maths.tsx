import { useEffect, useRef, useState } from "preact/hooks";

/** A formula; its text until the code that draws it is here, and where it cannot be drawn. */
export function Maths({ text, isBlock }: { readonly text: string; readonly isBlock: boolean }) {
  const place = useRef<HTMLSpanElement>(null);
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    let isGone = false;
    void import("temml").then(({ default: temml }) => {
      if (isGone || place.current === null) return;
      temml.render(text, place.current, { displayMode: isBlock, trust: false, throwOnError: false });
      setDrawn(true);
    });
    return () => ((isGone = true), undefined);
  }, [text, isBlock]);
  return (
    <span class={isBlock ? "maths-block" : "maths"}>
      {!isDrawn && <code>{text}</code>}
      <span ref={place} />
    </span>
  );
}
