import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Read } from "./use-read.tsx";
import { Button } from "./button.tsx";

/** Nothing at first, then grey blocks: most answers are there before. */
export function Loading() {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 150);
    return () => clearTimeout(timer);
  }, []);
  if (!isLate) return null;
  return (
    <div class="blocks" role="status">
      <span class="hidden">Loading</span>
      <div />
      <div />
      <div />
    </div>
  );
}

export function Failed({ message, retry }: { readonly message: string; readonly retry: () => void }) {
  return (
    <div class="failed">
      <p class="failure">{message}</p>
      <Button press={retry}>Try again</Button>
    </div>
  );
}

interface ReadingProps<T> {
  readonly read: Read<T>;
  readonly children: (value: T) => ComponentChildren;
}

/** What is read: blocks while it comes, why it did not, else what `children` make of it. */
export function Reading<T>({ read: { value, failure, again }, children }: ReadingProps<T>) {
  if (failure !== "") return <Failed message={failure} retry={again} />;
  return <>{value === undefined ? <Loading /> : children(value)}</>;
}

interface LineProps {
  readonly name: ComponentChildren;
  readonly note?: ComponentChildren;
  readonly failure?: string;
  /** What can be done with it. */
  readonly children?: ComponentChildren;
}

/** One thing of a list. */
export function Line({ name, note, failure = "", children }: LineProps) {
  return (
    <li class="line">
      <span>
        <strong>{name}</strong>
        {note && <p class="faint">{note}</p>}
        {failure !== "" && <p class="failure">{failure}</p>}
      </span>
      {children}
    </li>
  );
}
